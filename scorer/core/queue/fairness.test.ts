import { describe, expect, it } from 'vitest'
import { setup } from '../../testing/queue.ts'
import type { Standing } from '../cache/state-store.ts'

describe('the work queue', () => {
  it('saves up no turns for a tenant whose task is still under way', async () => {
    const { queue, task, begun, end } = setup()
    queue.offer([task('slow', { tenant: 'slow', cost: 50 })])
    for (const name of ['a', 'b', 'c']) queue.offer([task(name, { tenant: 'busy', cost: 50 })])
    await end('a')
    await end('b')
    queue.offer([task('d', { tenant: 'busy', cost: 50 })])
    queue.offer([task('other', { tenant: 'other', cost: 50 })])
    queue.offer([task('slow again', { tenant: 'slow', cost: 50 })])
    await end('slow')
    await end('c')
    expect(begun).toEqual(['slow', 'a', 'b', 'c', 'other', 'slow again'])
  })

  it('shares turns between a request of many tasks and requests of one', async () => {
    const { queue, task, begun, end } = setup({ batchTokens: 10 })
    queue.offer(['m1', 'm2', 'm3', 'm4'].map(name => task(name)))
    queue.offer([task('s1')])
    queue.offer([task('s2')])
    for (const name of ['m1', 'm2', 's1', 'm3', 's2']) await end(name)
    expect(begun).toEqual(['m1', 'm2', 's1', 'm3', 's2', 'm4'])
  })

  it('gives the next turn to a tenant with nothing waiting or under way, however much others have', async () => {
    const { queue, task, begun, end } = setup({ batchTokens: 10 })
    for (const name of ['a1', 'a2', 'a3']) queue.offer([task(name, { tenant: 'a' })])
    for (const name of ['b1', 'b2']) queue.offer([task(name, { tenant: 'b' })])
    await end('a1')
    queue.offer([task('c1', { tenant: 'c' })])
    for (const name of ['b1', 'c1']) await end(name)
    // But not ahead of those whose turn has already come.
    queue.offer([task('d1', { tenant: 'd' })])
    for (const name of ['a2', 'b2', 'd1']) await end(name)
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'd1', 'a3'])
  })

  it('gives a tenant its second turn although others ask again as soon as they are answered', async () => {
    const { queue, task, begun, end } = setup({ batchTokens: 10 })
    for (const name of ['a1', 'a2']) queue.offer([task(name, { tenant: 'a' })])
    for (const tenant of ['b', 'c']) queue.offer([task(`${tenant}1`, { tenant })])
    await end('a1')
    for (const nth of [1, 2]) {
      for (const tenant of ['b', 'c']) {
        await end(`${tenant}${nth}`)
        queue.offer([task(`${tenant}${nth + 1}`, { tenant })])
      }
      await end('a2')
    }
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'b3'])
  })

  it('forgets whose turn it was when a lane is empty', async () => {
    const { queue, task, begun, end } = setup({ batchTokens: 10 })
    queue.offer([task('a1', { tenant: 'a' })])
    await end('a1')
    for (const [name, tenant] of Object.entries({ b1: 'b', a2: 'a', c1: 'c' }))
      queue.offer([task(name, { tenant })])
    for (const name of ['b1', 'a2']) await end(name)
    expect(begun).toEqual(['a1', 'b1', 'a2', 'c1'])
  })

  it('remembers whose turn it was while its task is under way, even if nothing waits', async () => {
    const { queue, task, begun, pass, end } = setup({ batchTokens: 10 })
    queue.offer([task('a1', { tenant: 'a' })])
    pass(50)
    queue.offer([task('a2', { tenant: 'a' })])
    queue.offer([task('b1', { tenant: 'b' })])
    await end('a1')
    expect(begun).toEqual(['a1', 'b1'])
  })

  it('does not hold abandoned requests against a tenant, even if the lane is never empty', async () => {
    const { queue, task, begun, end } = setup({ batchTokens: 10 })
    let left = false
    queue.offer([task('a1', { tenant: 'a' })])
    for (const name of ['b1', 'b2', 'b3']) queue.offer([task(name, { tenant: 'b', left: () => left })])
    queue.offer([task('a2', { tenant: 'a' })])
    left = true
    await end('a1')
    queue.offer([task('b4', { tenant: 'b' })])
    queue.offer([task('a3', { tenant: 'a' })])
    await end('a2')
    expect(begun).toEqual(['a1', 'a2', 'b4'])
  })

  it('does not hold abandoned requests against those of the same tenant that wait on', async () => {
    const { queue, task, begun, end } = setup({ batchTokens: 10 })
    let left = false
    const b = (name: string) => task(name, { tenant: 'b', left: () => left })
    queue.offer([task('a1', { tenant: 'a' })])
    queue.offer([b('b1'), b('b2')])
    for (const name of ['b3', 'b4', 'b5']) queue.offer([b(name)])
    for (const name of ['b6', 'b7']) queue.offer([task(name, { tenant: 'b' })])
    for (const name of ['a2', 'a3', 'a4']) queue.offer([task(name, { tenant: 'a' })])
    left = true
    queue.offer([task('b8', { tenant: 'b' })])
    for (const name of ['a1', 'b6', 'b7', 'a2', 'a3', 'b8']) await end(name)
    expect(begun).toEqual(['a1', 'b6', 'b7', 'a2', 'a3', 'b8', 'a4'])
  })

  it('counts a turn for a request that is abandoned after some of it has begun', async () => {
    const { queue, task, begun, end } = setup({ batchTokens: 10 })
    let left = false
    queue.offer(['a1', 'a2', 'a3'].map(name => task(name, { tenant: 'a', left: () => left })))
    queue.offer([task('a4', { tenant: 'a' })])
    for (const tenant of ['b', 'c']) queue.offer([task(tenant, { tenant })])
    left = true
    for (const name of ['a1', 'b', 'c']) await end(name)
    expect(begun).toEqual(['a1', 'b', 'c', 'a4'])
  })

  it('has turns per lane: the turns a tenant takes in one lane do not count in another', async () => {
    const { queue, task, begun, end } = setup()
    const small = ['a1', 'a2', 'a3', 'a4'].map(name => task(name, { tenant: 'a', cost: 100 }))
    queue.offer([...small, task('a long', { tenant: 'a', cost: 60_000 })])
    queue.offer([task('b', { tenant: 'b', cost: 100 })])
    for (const name of ['a1', 'b']) await end(name)
    expect(begun).toEqual(['a1', 'a long', 'b', 'a2'])
  })

  it('keeps the turn of a task that moves to another lane', async () => {
    const { queue, task, begun, end } = setup()
    for (const name of ['a1', 'a2', 'a3']) queue.offer([task(name, { tenant: 'a', cost: 100 })])
    for (const name of ['a1', 'a2']) await end(name)
    let stands: Standing = 'encoded'
    const state = { key: 'long', tokens: 60_000 }
    const rider = (name: string) => task(name, { tenant: name, cost: 100, state, standing: () => stands })
    queue.offer([rider('b')])
    stands = 'pending'
    for (const name of ['c', 'd']) queue.offer([rider(name)])
    for (const name of ['b', 'c']) await end(name)
    expect(begun).toEqual(['a1', 'a2', 'a3', 'b', 'c', 'd'])
  })
})
