import { describe, expect, it, vi } from 'vitest'
import { setup } from '../../testing/queue.ts'

describe('the work queue', () => {
  it('looks through what waits once, not once for each task, when a batch ends together', async () => {
    const { queue, task, begun, end } = setup()
    const batch = Array.from({ length: 10 }, (_, nth) => `${nth}`)
    for (const name of batch) queue.offer([task(name)])
    const left = vi.fn(() => false)
    for (const name of ['next', 'last']) queue.offer([task(name, { cost: 100, left })])
    left.mockClear()
    await Promise.all(batch.map(name => end(name)))
    expect(left).toHaveBeenCalledTimes(2)
    expect(begun.at(-1)).toBe('next')
  })

  it('looks through what waits only now and then while more is offered that has to wait or is refused', () => {
    const { queue, task, pass, dropped } = setup({ capacityTokens: 100 })
    pass(1_000)
    const left = vi.fn(() => true)
    queue.offer([task('running', { cost: 100 })])
    const flood = Array.from({ length: 20 }, (_, at) => queue.offer([task(`${at}`, { left })]))
    expect(flood).toEqual([...Array(10).fill(true), ...Array(10).fill(false)])
    expect(left).not.toHaveBeenCalled()
    pass(50)
    expect(queue.offer([task('later')])).toBe(true)
    expect(left).toHaveBeenCalledTimes(10)
    expect(dropped).toHaveLength(10)
  })

  it('looks through nothing for what there would be room for if nothing waited ahead of it', () => {
    const { queue, task } = setup()
    const left = vi.fn(() => false)
    queue.offer([task('running', { cost: 60 })])
    queue.offer([task('large', { tenant: 'two', cost: 60, left })])
    left.mockClear()
    for (const tenant of ['one', 'two', 'three']) queue.offer([task(tenant, { tenant, left })])
    expect(left).not.toHaveBeenCalled()
  })

  it('looks through what waits once for many small tasks that end one after another', async () => {
    const { queue, task, begun, end } = setup({ batchTokens: 160 })
    const small = Array.from({ length: 20 }, (_, nth) => `${nth}`)
    queue.offer([task('large', { cost: 140 })])
    for (const name of small) queue.offer([task(name, { cost: 1 })])
    const left = vi.fn(() => false)
    queue.offer([task('next', { left })])
    for (const name of small.slice(0, 19)) await end(name)
    expect(left).not.toHaveBeenCalled()
    expect(begun).not.toContain('next')
    await end('19')
    expect(left).toHaveBeenCalledOnce()
    expect(begun.at(-1)).toBe('next')
  })
})
