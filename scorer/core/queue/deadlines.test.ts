import { describe, expect, it } from 'vitest'
import { Interrupted } from '../../backend/backend.ts'
import { setup } from '../../testing/queue.ts'

/** A queue that has learned its pace, a millisecond a token, from a task that took it until 100 ms. */
const paced = async (deadline = Number.POSITIVE_INFINITY) => {
  const all = setup()
  all.queue.offer([all.task('a', { cost: 100, deadline })])
  all.pass(100)
  await all.end('a')
  return all
}

describe('the work queue', () => {
  it('drops a task that, at the pace it knows, can no longer end in time', async () => {
    const { queue, task, begun, dropped, end, pass } = await paced()
    queue.offer([task('b', { cost: 100 })])
    expect(queue.offer([task('c', { cost: 100, deadline: 100 + 199 })])).toBe(false)
    expect(queue.offer([task('c', { cost: 100, deadline: 100 + 250 })])).toBe(true)
    queue.offer([task('d', { cost: 100 })])
    pass(160)
    await end('b')
    expect([begun, dropped]).toEqual([['a', 'b', 'd'], ['c']])
  })

  it('allows time for what waits for memory, too', async () => {
    const { queue, task } = await paced()
    queue.offer([task('b', { cost: 100, room: () => false })])
    expect(queue.offer([task('c', { cost: 100, deadline: 100 + 199 })])).toBe(false)
  })

  it('learns no pace from a task that was given up before its deadline', async () => {
    const { queue, task, end, pass } = await paced()
    queue.offer([task('b', { cost: 100 })])
    pass(10_000)
    await end('b', new Interrupted('cancelled'))
    queue.offer([task('c', { cost: 100 })])
    expect(queue.offer([task('d', { cost: 100, deadline: 10_100 + 250 })])).toBe(true)
  })

  it('allows time for everything under way, not only for what ends soonest', async () => {
    const { queue, task } = await paced()
    queue.offer([task('b', { cost: 60 }), task('c', { cost: 40, deadline: 100 + 40 })])
    expect(queue.offer([task('d', { cost: 100, deadline: 100 + 199 })])).toBe(false)
  })

  it('allows no time for tasks that have ended, however late their deadlines', async () => {
    const { queue, task } = await paced(100_000)
    queue.offer([task('b', { cost: 100, deadline: 100 + 50 })])
    expect(queue.offer([task('c', { cost: 100, deadline: 100 + 199 })])).toBe(true)
  })

  it('allows no time for a task that has ended, however late its deadline, while another is under way', async () => {
    const { queue, task, end } = await paced()
    queue.offer([task('b', { cost: 50, deadline: 100_000 }), task('c', { cost: 50, deadline: 100 + 10 })])
    await end('b', new Interrupted('cancelled'))
    expect(queue.offer([task('d', { cost: 60, deadline: 100 + 65 })])).toBe(false)
    expect(queue.offer([task('d', { cost: 60, deadline: 100 + 75 })])).toBe(true)
  })

  it('does not refuse a task that waits for a state because another waited long for its own', async () => {
    const { queue, task, end, pass } = setup()
    const rider = (name: string, deadline = Number.POSITIVE_INFINITY) =>
      task(name, { cost: 100, state: { key: 'long', tokens: 60_000 }, standing: () => 'pending', deadline })
    queue.offer([rider('a')])
    pass(10_000)
    await end('a')
    queue.offer([rider('b')])
    expect(queue.offer([rider('c', 10_000 + 5_000)])).toBe(true)
  })
})
