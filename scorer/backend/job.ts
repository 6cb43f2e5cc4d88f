import type { EncodedState, KnownRows, MemoryPool, Waiter } from './backend.ts'
import type { Pool } from './pool.ts'
import type { Shape } from './steps.ts'
import type { Tally } from './tally.ts'

/** What every part of encoding and comparing needs. */
export type Job = {
  readonly pool: Pool
  readonly shape: Shape
  readonly state: Promise<EncodedState>
  readonly waiter: Waiter
  readonly scratch: MemoryPool
  readonly known: KnownRows
}

/** The logits of questions that look at the same part of the state. */
export const readOut = async ({ pool, ...job }: Job, tallies: readonly Tally[]): Promise<Float32Array[]> => {
  const state = await job.state
  const focus = tallies[0]?.question.focus ?? []
  const mean = focus.length > 0 ? await pool.run({ kind: 'mean', state, ranges: focus }) : state.mean
  const logits = await pool.run({ kind: 'readout', questions: tallies.map(tally => tally.readout(mean)) })
  // The readout of a single option has a spare row.
  return tallies.map(({ question }, n) => (logits[n] ?? new Float32Array()).slice(0, question.options.length))
}
