import fc from 'fast-check'
import { expect, it } from 'vitest'
import { byRank, type Turn, Turns } from './turns.ts'

type Step = { offered: { tenant: string; tasks: number } } | 'begin'
const stepsOf = (mostTasks: number) =>
  fc.array(
    fc.oneof(
      fc
        .record({ tenant: fc.constantFrom('a', 'b', 'c'), tasks: fc.integer({ min: 1, max: mostTasks }) })
        .map((offered): Step => ({ offered })),
      fc.constant<Step>('begin'),
    ),
    { maxLength: 40, size: 'max' },
  )

type Numbered = Turn & { readonly number: number }

/** Whether all that waits is ranked anew before a task begins, by the step before it. */
type Anew = (before: Step | undefined) => boolean
const never: Anew = () => false
const always: Anew = () => true
const unlessOneJustBegan: Anew = before => before !== 'begin'

/**
 * The tasks in the order in which they begin. `onOffer` is told of each new request what waits already and what has
 * begun.
 */
const orderOf = (
  all: readonly Step[],
  anew: Anew,
  onOffer = (_first: Numbered, _waiting: readonly Numbered[], _begun: readonly Numbered[]): void => {},
): Numbered[] => {
  const turns = new Turns()
  const waiting: Numbered[] = []
  const begun: Numbered[] = []
  let number = 0
  for (const [at, step] of all.entries()) {
    if (step !== 'begin') {
      const { tenant } = step.offered
      const request = {}
      const tasks = Array.from({ length: step.offered.tasks }, () => ({
        tenant,
        request,
        rank: 0,
        place: 0,
        number: number++,
      }))
      turns.rankNew(tasks)
      turns.add(tasks)
      const [first] = tasks
      if (first !== undefined) onOffer(first, waiting, begun)
      waiting.push(...tasks)
      continue
    }
    if (anew(all[at - 1])) turns.rank(waiting)
    const [next] = waiting.toSorted(byRank)
    if (next === undefined) {
      turns.forget()
      continue
    }
    turns.begin(next)
    waiting.splice(waiting.indexOf(next), 1)
    begun.push(next)
  }
  return begun
}

const numbersOf = (begun: readonly Numbered[]) => begun.map(({ number }) => number)

it('requests of one task, ranked as they come, begin in the order in which they would if all were ranked anew', () => {
  fc.assert(
    fc.property(stepsOf(1), all => {
      expect(numbersOf(orderOf(all, never))).toEqual(numbersOf(orderOf(all, always)))
    }),
    { numRuns: 500 },
  )
})

it('tasks that begin together, as those of a batch do, are the ones that would begin one after another', () => {
  fc.assert(
    fc.property(stepsOf(5), all => {
      expect(numbersOf(orderOf(all, unlessOneJustBegan))).toEqual(numbersOf(orderOf(all, always)))
    }),
    { numRuns: 500 },
  )
})

it('a tenant with nothing waiting waits for one turn of each other, or two after its own, whatever those have', () => {
  const busy = ['a', 'a', 'a', 'b'].map((tenant): Step => ({ offered: { tenant, tasks: 10 } }))
  fc.assert(
    fc.property(stepsOf(5), all => {
      const watched: { first: Numbered; before: number; most: number }[] = []
      const isOf = (tenant: string) => (one: Turn) => one.tenant === tenant
      const begun = orderOf([...busy, ...all], always, (first, waiting, earlier) => {
        if (waiting.some(isOf(first.tenant))) return
        watched.push({ first, before: earlier.length, most: earlier.some(isOf(first.tenant)) ? 2 : 1 })
      })
      for (const { first, before, most } of watched) {
        const at = begun.indexOf(first)
        const others = begun.slice(before, at < 0 ? undefined : at)
        for (const { tenant } of others) expect(others.filter(isOf(tenant)).length).toBeLessThanOrEqual(most)
      }
    }),
    { numRuns: 500 },
  )
})

it('the large requests of a tenant take turns with each other and with its small ones', () => {
  const large = Array.from({ length: 3 }, (): Step => ({ offered: { tenant: 'a', tasks: 10 } }))
  const begin = (times: number) => Array<Step>(times).fill('begin')
  const small: Step = { offered: { tenant: 'a', tasks: 1 } }
  const begun = numbersOf(orderOf([...large, ...begin(12), small, ...begin(3)], always))
  expect(begun.filter(number => number < 10).length).toBeGreaterThanOrEqual(4)
  expect(begun.filter(number => number >= 20 && number < 30).length).toBeGreaterThanOrEqual(3)
  expect(begun.slice(12)).toContain(30)
})
