import { expect, it } from 'vitest'
import { patient } from '../testing/engine.ts'
import { Interrupted } from './backend.ts'
import { inOrder } from './in-order.ts'

/** Steps that end when told to. */
const setup = ({ count = 5, ahead = 2, waiter = patient } = {}) => {
  const ends = Array.from({ length: count }, () => Promise.withResolvers<string>())
  const begun: number[] = []
  const run = (step: number) => {
    begun.push(step)
    return ends[step]?.promise ?? Promise.reject(new Error('no such step'))
  }
  const outcomes: string[] = []
  const read = async () => {
    for await (const [step, outcome] of inOrder(ends.keys(), run, ahead, waiter)) {
      outcomes.push(`${step} ${outcome}`)
    }
  }
  return {
    read,
    begun,
    outcomes,
    end: (step: number) => ends[step]?.resolve('ended'),
    fail: (step: number) => ends[step]?.reject(new Error('broken')),
  }
}
const soon = () => new Promise(resolve => setImmediate(resolve))

it('yields outcomes in the order of the steps, and never has more steps under way than it may', async () => {
  const { read, begun, outcomes, end } = setup()
  const reading = read()
  await soon()
  expect(begun).toEqual([0, 1])
  end(1)
  await soon()
  expect([begun, outcomes]).toEqual([[0, 1], []])
  end(0)
  await soon()
  expect([begun, outcomes]).toEqual([
    [0, 1, 2, 3],
    ['0 ended', '1 ended'],
  ])
  for (const step of [4, 3, 2]) end(step)
  await reading
  expect(outcomes).toEqual([0, 1, 2, 3, 4].map(step => `${step} ended`))
})

it.each(['a step fails', 'the caller leaves'])(
  'if %s, ends only when every step has: until then a step may write to memory that is lent to it',
  async what => {
    let left = false
    const { read, end, fail } = setup({ ahead: 3, waiter: { gone: () => left } })
    let over = false
    const reading = read().finally(() => {
      over = true
    })
    reading.catch(() => {})
    await soon()
    if (what === 'a step fails') fail(0)
    else {
      left = true
      end(0)
    }
    await soon()
    expect(over).toBe(false)
    end(1)
    await soon()
    expect(over).toBe(false)
    end(2)
    await expect(reading).rejects.toEqual(
      what === 'a step fails' ? new Error('broken') : new Interrupted('cancelled'),
    )
  },
)

it('tells of a step that failed early when its turn comes', async () => {
  const { read, outcomes, end, fail } = setup({ count: 2 })
  const reading = read()
  fail(1)
  await soon()
  end(0)
  await expect(reading).rejects.toThrow('broken')
  expect(outcomes).toEqual(['0 ended'])
})
