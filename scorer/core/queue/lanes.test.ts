import { describe, expect, it } from 'vitest'
import { setup } from '../../testing/queue.ts'

describe('the work queue', () => {
  it('does not let a smaller task overtake another in its lane', async () => {
    const { queue, task, begun, end } = setup()
    for (const name of ['a', 'b']) queue.offer([task(name, { cost: 50 })])
    queue.offer([task('c', { tenant: 'two', cost: 60 })])
    queue.offer([task('d', { tenant: 'three', cost: 10 })])
    await end('a')
    expect(begun).toEqual(['a', 'b'])
    await end('b')
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
  })

  it('never makes small tasks wait for longer ones, or medium tasks for long ones', () => {
    const { queue, task, begun } = setup()
    queue.offer([task('longest', { cost: 65_536 })])
    queue.offer([task('long', { cost: 60_000 })])
    queue.offer([task('medium', { cost: 300 })])
    queue.offer([task('small')])
    expect(begun).toEqual(['longest', 'medium', 'small'])
  })

  it('keeps tasks that wait for a long state out of the small and long lanes while it is encoded', async () => {
    const { queue, task, begun, end } = setup()
    const state = { key: 'long', tokens: 60_000 }
    let read = false
    const standing = () => (read ? 'encoded' : 'pending')
    queue.offer([task('reader', { cost: 0, state })])
    for (const name of ['a', 'b', 'c']) queue.offer([task(name, { cost: 40, state, standing })])
    queue.offer([task('long', { cost: 60_000 })])
    queue.offer([task('small', { cost: 100 })])
    expect(begun).toEqual(['reader', 'a', 'b', 'small'])
    await end('small')
    expect(begun).toEqual(['reader', 'a', 'b', 'small'])
    read = true
    await end('reader')
    expect(begun).toEqual(['reader', 'a', 'b', 'small', 'c', 'long'])
  })

  it('begins a task that waits for a state together with the task that encodes it', async () => {
    const { queue, task, begun, end } = setup({ capacityTokens: 200_000 })
    const state = { key: 'long', tokens: 60_000 }
    const standing = () => (begun.includes('reader') ? 'pending' : 'absent')
    queue.offer([task('long', { cost: 60_000 })])
    queue.offer([task('reader', { state })])
    queue.offer([task('joiner', { cost: 40, state, standing })])
    expect(begun).toEqual(['long'])
    await end('long')
    expect(begun).toEqual(['long', 'reader', 'joiner'])
  })

  it('counts tasks that wait for a state only by their questions, so that they fill no lane', () => {
    const { queue, task } = setup({ capacityTokens: 100 })
    queue.offer([task('reader', { cost: 60_000 })])
    const state = { key: 'long', tokens: 60_000 }
    const joiner = (name: string) => task(name, { cost: 50, state, standing: () => 'pending' })
    expect(['a', 'b', 'c', 'd'].map(name => queue.offer([joiner(name)]))).toEqual([true, true, true, true])
    expect(queue.offer([joiner('e')])).toBe(false)
    expect(queue.offer([task('long', { cost: 60_000 })])).toBe(true)
  })

  it('lets tasks that wait for a small state being encoded join the batch', () => {
    const { queue, task, begun } = setup()
    queue.offer([task('reader', { cost: 60 })])
    const riding = { state: { key: 'small', tokens: 50 }, standing: () => 'pending' as const }
    for (const name of ['a', 'b', 'c', 'd']) queue.offer([task(name, riding)])
    expect(begun).toEqual(['reader', 'a', 'b', 'c', 'd'])
  })

  it('counts a task anew once another is encoding its state', () => {
    const { queue, task, begun, batches } = setup()
    const state = { key: 'small', tokens: 50 }
    const standing = () => (begun.includes('reader') ? 'pending' : 'absent')
    queue.offer([task('reader', { state }), task('joiner', { state, standing })])
    expect([begun, batches]).toEqual([
      ['reader', 'joiner'],
      [60, 70],
    ])
  })

  it('leaves a task waiting while memory is short, without holding up other lanes', async () => {
    const { queue, task, begun, end } = setup()
    let room = false
    queue.offer([task('small', { cost: 90 })])
    queue.offer([task('long', { cost: 60_000, room: () => room })])
    queue.offer([task('next', { cost: 90 })])
    await end('small')
    expect(begun).toEqual(['small', 'next'])
    room = true
    await end('next')
    expect(begun).toEqual(['small', 'next', 'long'])
  })
})
