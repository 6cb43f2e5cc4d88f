import type { Waiter } from '../../backend/backend.ts'

/** Who waits for the answer to a request. */
export type Caller = Waiter & {
  readonly tenant: string
  /** As `now` counts time. */
  readonly deadline: number
  /** Calls the listener once, when nobody waits any more: the request was answered or its caller left. */
  onGone(listener: () => void): void
}
