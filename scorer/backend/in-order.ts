import { Interrupted, type Waiter } from './backend.ts'

/** Runs steps in order, up to `ahead` of them at a time, and yields their outcomes in the same order. */
export async function* inOrder<Step, Outcome>(
  steps: Iterable<Step>,
  run: (step: Step) => Promise<Outcome>,
  ahead: number,
  waiter: Waiter,
): AsyncGenerator<readonly [Step, Outcome]> {
  const under: { step: Step; outcome: Promise<Outcome> }[] = []
  try {
    for (const step of steps) {
      stopIfGone(waiter)
      const outcome = run(step)
      // A step may fail while an earlier one is still awaited: the failure is reported when its turn comes.
      outcome.catch(() => {})
      under.push({ step, outcome })
      if (under.length < ahead) continue
      const first = under.shift()
      if (first) yield [first.step, await first.outcome]
    }
    for (let first = under.shift(); first; first = under.shift()) yield [first.step, await first.outcome]
  } finally {
    // Steps still running when the job ends: their outcomes are ignored.
    await Promise.allSettled(under.map(({ outcome }) => outcome))
  }
}

export const stopIfGone = (waiter: Waiter): void => {
  if (waiter.gone()) throw new Interrupted('cancelled')
}
