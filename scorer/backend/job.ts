import type { EncodedState, KnownRows, MemoryPool, Waiter } from './backend.ts'
import type { Pool } from './pool.ts'
import type { Shape } from './steps.ts'

/** What every part of encoding and comparing needs. */
export type Job = {
  readonly pool: Pool
  readonly shape: Shape
  readonly state: Promise<EncodedState>
  readonly waiter: Waiter
  readonly scratch: MemoryPool
  readonly known: KnownRows
}
