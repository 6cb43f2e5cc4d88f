import { goneBecause, type Signal } from './backend.ts'

/** Takes steps in order, a few ahead, and hands out their outcomes in the same order. */
export async function* inOrder<Step, Outcome>(
  steps: Iterable<Step>,
  run: (step: Step) => Promise<Outcome>,
  ahead: number,
  signal: Signal,
): AsyncGenerator<readonly [Step, Outcome]> {
  const under: { step: Step; outcome: Promise<Outcome> }[] = []
  try {
    for (const step of steps) {
      stopIfOver(signal)
      const outcome = run(step)
      // It may fail while an earlier one is still waited for: that is told when its turn comes.
      outcome.catch(() => {})
      under.push({ step, outcome })
      if (under.length < ahead) continue
      const first = under.shift()
      if (first) yield [first.step, await first.outcome]
    }
    for (let first = under.shift(); first; first = under.shift()) yield [first.step, await first.outcome]
  } finally {
    // What was under way when the job ended settles unheard.
    await Promise.allSettled(under.map(({ outcome }) => outcome))
  }
}

export const stopIfOver = (signal: Signal): void => {
  const why = goneBecause(signal, Date.now())
  if (why !== null) throw why
}
