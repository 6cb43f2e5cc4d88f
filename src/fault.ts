/** What an operator must hear about, as it stands in the log. It can hold nothing of a request but ids. */
export type Fault =
  | ({ kind: 'scorer'; fault: ScorerFault } & ScorerCall)
  | ({ kind: 'unforeseen'; request_id: string; frames: readonly string[] } & Failure)
  /** A request was refused because the Gate of its key has more to do than it can. */
  | { kind: 'gate_overloaded' }
  /** The usage of this many requests did not reach their Gate. */
  | { kind: 'unsettled'; requests: number }
  /** This many requests did not reach the activity of their account. */
  | { kind: 'unrecorded'; requests: number }
  | { kind: 'shared_limiter'; why: 'timeout' | 'error' }
  /** GitHub did not say with which keys it signs its reports of leaked keys; with its status, if it answered. */
  | { kind: 'leak_reports'; status: number | null }
  /** This key's usage is on disk but not in its account's books, and attempts to hand it over keep failing. */
  | ({ kind: 'not_handed_over'; account_id: string; key_id: string } & Failure)
  /** Money reached a closed account: it is in its balance, and someone must decide what becomes of it. */
  | { kind: 'credited_after_closing'; account_id: string }
  /** Stripe reported money of an account that does not exist here: it is in no balance. */
  | { kind: 'not_booked'; account_id: string }
  /** Nobody said whether an automatic reload was paid; said once for a reload, and again when it is given up. */
  | ({ kind: 'reload'; outcome: 'unknown'; account_id: string } & Failure)
  | { kind: 'reload'; outcome: 'given_up'; account_id: string }

/** What went wrong with the scorer. Holds nothing of a request. */
export type ScorerFault =
  | 'wrong_version'
  | 'bad_signature'
  | 'clock'
  | 'full'
  | 'draining'
  | 'fault'
  | 'refused'
  | 'unreachable'
  | 'late'
  | 'too_large'
  | 'nonsense'
  | 'unknown_snapshot'

/** What it was asked when it went wrong. A probe of its health serves many requests, so it names none. */
export type ScorerCall = { call: 'health' } | { call: 'score'; request_id?: string }

/** What may be told of an error: never its message, which may quote a request. */
type Failure = {
  name: string
  // What the platform says of an error of a Durable Object, whose name is always Error.
  overloaded: boolean
  retryable: boolean
  remote: boolean
  durable_object_reset: boolean
}

export const failureOf = (error: unknown): Failure => {
  const { name, overloaded, retryable, remote, durableObjectReset } = Object(error)
  return {
    name: String(name),
    overloaded: overloaded === true,
    retryable: retryable === true,
    remote: remote === true,
    durable_object_reset: durableObjectReset === true,
  }
}

/** The one place that writes faults to the platform's log. */
export const reportFault = (fault: Fault): void => {
  // biome-ignore lint/suspicious/noConsole: this is the log
  console.error(JSON.stringify(fault))
}
