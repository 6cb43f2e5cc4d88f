import type { Signal } from '../backend/backend.ts'

/** Who waits for the answer to a request. */
export type Caller = Signal & {
  readonly tenant: string
  /** The listener hears, once, that nobody waits any more: the request was answered or its caller left. */
  onGone(listener: () => void): void
}
