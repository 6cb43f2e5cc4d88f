import fc from 'fast-check'
import { expect, it } from 'vitest'
import { byRank, type Turn, Turns } from './turns.ts'

type Step = { offered: { tenant: string; tasks: number } } | 'begin'
const offer = fc.record({ tenant: fc.constantFrom('a', 'b', 'c'), tasks: fc.integer({ min: 1, max: 3 }) })
const steps = fc.array(
  fc.oneof(
    offer.map((offered): Step => ({ offered })),
    fc.constant<Step>('begin'),
  ),
  { maxLength: 40 },
)

/** In which order tasks begin, by number, with a rank for each new one alone or for all anew. */
const orderOf = (all: readonly Step[], anew: boolean): number[] => {
  const turns = new Turns()
  const numbers = new Map<Turn, number>()
  const waiting: Turn[] = []
  const begun: number[] = []
  for (const step of all) {
    if (step !== 'begin') {
      const request = {}
      const tasks = Array.from({ length: step.offered.tasks }, () => ({
        tenant: step.offered.tenant,
        request,
        rank: 0,
      }))
      turns.rankNew(tasks)
      turns.add(tasks)
      for (const task of tasks) numbers.set(task, numbers.size)
      waiting.push(...tasks)
      continue
    }
    if (anew) turns.rank(waiting)
    const [next] = waiting.toSorted(byRank)
    if (next === undefined) {
      turns.forget()
      continue
    }
    turns.begin(next)
    waiting.splice(waiting.indexOf(next), 1)
    begun.push(numbers.get(next) ?? -1)
  }
  return begun
}

it('what is ranked as it comes begins in the order in which it would if all were ranked anew each time', () => {
  fc.assert(
    fc.property(steps, all => {
      expect(orderOf(all, false)).toEqual(orderOf(all, true))
    }),
    { numRuns: 500 },
  )
})
