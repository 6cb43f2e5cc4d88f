import { describe, expect, it } from 'vitest'
import { setup } from '../../testing/queue.ts'

describe('the work queue', () => {
  it('begins tasks together up to a batch of padded tokens, in the order they came', async () => {
    const { queue, task, begun, end, batches } = setup()
    for (const name of ['a', 'b', 'c', 'd']) queue.offer([task(name, { cost: 40 })])
    expect(begun).toEqual(['a', 'b'])
    await end('a')
    expect(begun).toEqual(['a', 'b', 'c'])
    expect(batches).toEqual([40, 80, 80])
  })

  it('drops a task before any work if nobody waits for it', async () => {
    const { queue, task, begun, dropped, end } = setup()
    let left = false
    queue.offer([task('a', { cost: 100 })])
    queue.offer([task('b', { left: () => left })])
    queue.offer([task('c')])
    left = true
    await end('a')
    expect(begun).toEqual(['a', 'c'])
    expect(dropped).toEqual(['b'])
  })

  it('measures how long each task waited', async () => {
    const { queue, task, waits, pass, end } = setup()
    pass(1_000)
    queue.offer([task('a', { cost: 100 })])
    queue.offer([task('b', { cost: 100 })])
    pass(30)
    await end('a')
    expect(waits).toEqual([0, 30])
  })

  it('measures the wait of a task that is dropped, too', async () => {
    const { queue, task, waits, dropped, pass, end } = setup()
    pass(1_000)
    queue.offer([task('a', { cost: 100 })])
    queue.offer([task('b', { left: () => true })])
    pass(30)
    await end('a')
    expect([dropped, waits]).toEqual([['b'], [0, 30]])
  })
})
