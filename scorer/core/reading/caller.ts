import type { Signal } from '../../backend/backend.ts'

/** Who waits for the answer to a request. */
export type Caller = Signal & {
  readonly tenant: string
  /** Calls the listener once, when nobody waits any more: the request was answered or its caller left. */
  onGone(listener: () => void): void
}
