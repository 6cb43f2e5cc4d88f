import type { Waiter } from '../../backend/backend.ts'

/** Who waits for the answer to a request. */
export type Caller = Waiter & {
  readonly tenant: string
  /** Milliseconds since the epoch. */
  readonly deadline: number
  /** Calls the listener once, when nobody waits any more: the request was answered or its caller left. */
  onGone(listener: () => void): void
}
