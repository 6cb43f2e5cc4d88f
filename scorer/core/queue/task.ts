import type { Interrupted } from '../../backend/backend.ts'
import type { Standing } from '../cache/state-store.ts'

/** A piece of work that waits for its turn with the engine. */
export type Task = {
  /** Whose it is: tenants take turns. */
  readonly tenant: string
  /** Padded tokens of work beside encoding its state. */
  readonly questionTokens: number
  /** What it is about. Tasks with the same key share one state, which is encoded once. */
  readonly state: { readonly key: string; readonly tokens: number }
  /** Whether its state is encoded, or being encoded for another task. */
  standing(): Standing
  /** As the queue's clock counts time. */
  readonly deadline: number
  /** Whether nobody waits for it any more. */
  gone(): boolean
  /** Begins the work, or returns null if there is no memory for it yet. */
  begin(): Promise<void> | null
  drop(why: Interrupted): void
}
