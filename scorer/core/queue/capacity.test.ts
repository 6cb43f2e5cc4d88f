import { describe, expect, it } from 'vitest'
import { setup } from '../../testing/queue.ts'
import type { Standing } from '../cache/state-store.ts'

describe('the work queue', () => {
  it('says at once that it is full, and takes all tasks of a request or none', () => {
    const { queue, task } = setup({ capacityTokens: 100 })
    expect(queue.offer([task('running', { cost: 100 })])).toBe(true)
    expect(queue.offer([task('a', { cost: 60 })])).toBe(true)
    expect(queue.offer([task('b', { cost: 20 }), task('c', { cost: 30 })])).toBe(false)
    expect(queue.depth).toEqual({ waiting: 1, waitingTokens: 60, running: 1, runningTokens: 100 })
    expect(queue.offer([task('d', { cost: 40 })])).toBe(true)
  })

  it('takes none of a request if one of its lanes is full, and begins at once what another has room for', () => {
    const { queue, task, begun } = setup({ capacityTokens: 100 })
    queue.offer([task('running', { cost: 100 })])
    expect(queue.offer([task('a', { cost: 60 }), task('long', { cost: 60_000 })])).toBe(true)
    expect(queue.offer([task('b', { cost: 60 }), task('medium', { cost: 300 })])).toBe(false)
    expect(begun).toEqual(['running', 'long'])
  })

  it('takes a request larger than its capacity if nothing is waiting', () => {
    const { queue, task } = setup({ capacityTokens: 100 })
    queue.offer([task('running', { cost: 100 })])
    expect(queue.offer([task('huge', { cost: 5_000 })])).toBe(true)
  })

  it('is full only for those who would wait behind too much', () => {
    const { queue, task } = setup({ batchTokens: 10, capacityTokens: 100 })
    const offer = (tenant: string) => queue.offer([task(tenant, { tenant })])
    expect(offer('b')).toBe(true)
    const flood = Array.from({ length: 11 }, () => offer('a'))
    expect(flood).toEqual([...Array(10).fill(true), false])
    expect([offer('b'), offer('c')]).toEqual([true, true])
    expect(offer('a')).toBe(false)
  })

  it('is not full for a request because of one of many tasks that its tenant has waiting', () => {
    const { queue, task } = setup({ batchTokens: 10, capacityTokens: 100 })
    queue.offer([task('running')])
    expect(queue.offer(Array.from({ length: 20 }, (_, nth) => task(`many ${nth}`)))).toBe(true)
    expect(queue.offer([task('one')])).toBe(true)
  })

  it('is not full for a tenant because of what its callers have given up', () => {
    const { queue, task, pass } = setup({ batchTokens: 10, capacityTokens: 50 })
    let left = false
    queue.offer([task('running', { tenant: 'c' })])
    const offer = (tenant: string, cost: number) =>
      queue.offer([task(tenant, { tenant, cost, left: () => left && tenant === 'a' })])
    for (let nth = 0; nth < 5; nth++) expect([offer('a', 1), offer('b', 9)]).toEqual([true, true])
    left = true
    pass(50)
    expect(queue.offer([task('again', { tenant: 'a', cost: 9 })])).toBe(true)
  })

  it('counts a state that many tasks share once, until it is encoded and after', () => {
    const { queue, task } = setup({ capacityTokens: 1_000 })
    const state = { key: 'shared', tokens: 900 }
    let stands: Standing = 'absent'
    const offer = (name: string, shared = state) =>
      queue.offer([task(name, { cost: 10, state: shared, standing: () => stands })])
    queue.offer([task('running', { cost: 60_000 })])
    queue.offer([task('running too', { cost: 300 })])
    expect(['a', 'b', 'c'].map(name => offer(name))).toEqual([true, true, true])
    expect(queue.depth.waitingTokens).toBe(930)
    expect(offer('other', { key: 'other', tokens: 900 })).toBe(false)
    stands = 'encoded'
    expect(offer('d')).toBe(true)
  })

  it('is full for the last of many tenants with one task each', () => {
    const { queue, task } = setup({ batchTokens: 10, capacityTokens: 100 })
    const offered = Array.from({ length: 12 }, (_, at) => queue.offer([task(`${at}`, { tenant: `${at}` })]))
    expect(offered).toEqual([...Array(11).fill(true), false])
  })
})
