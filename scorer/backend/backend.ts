/**
 * The boundary between the scorer's core and the engine: token ids in, logits out.
 * The engine knows nothing of texts, tenants, caches or HTTP.
 */
export type Backend = {
  /** Name, version and execution provider, for example `onnxruntime-node 1.30.0 (cpu)`. */
  readonly engine: string
  /** What a state of so many tokens occupies once it is read. */
  stateBytes(tokens: number): number
  /**
   * Reads a whole state stream, markers included, and keeps what questions need of it.
   * Works block by block: other jobs are served in between. It is kept in `memory`, at least `stateBytes` of it: the
   * giver may reuse it once the state is no longer read.
   */
  encodeState(ids: Int32Array, signal: Signal, memory: Uint8Array<SharedArrayBuffer>): Promise<EncodedState>
  /**
   * One array of logits per question, one logit per option, in the order given. What a question's tokens come to
   * does not depend on the state: they are read while the state is, and `known` may keep it for the next time.
   */
  readQuestions(
    state: Promise<EncodedState>,
    questions: readonly TokenisedQuestion[],
    signal: Signal,
    known: KnownRows,
  ): Promise<Float32Array[]>
  /** Refuses new work, lets the runs under way finish and ends the worker threads. */
  close(): Promise<void>
}

/** Looked at between two runs: a job whose deadline passed or whose caller left rejects with `Interrupted`. */
export type Signal = {
  /** Milliseconds since the epoch. */
  readonly deadline: number
  cancelled(): boolean
}

/** A state that has been read: immutable, shared between threads. */
export type EncodedState = {
  readonly tokens: number
  /** The last layer's rows, [tokens, width], half precision. */
  readonly rows: Uint16Array<SharedArrayBuffer>
  /** Mean of all rows, [width]. */
  readonly mean: Float32Array<SharedArrayBuffer>
}

/** Rows of questions that were read before, or are being read: [tokens, width] each. */
export type KnownRows = {
  get(key: string): Promise<Float32Array> | undefined
  keep(key: string, bytes: number, rows: Promise<Float32Array>): void
}

/** Memory that is lent for a while. */
export type Scratch = {
  /** At least so many bytes, holding whatever they hold; null where they must be waited for. */
  take(bytes: number): Uint8Array<SharedArrayBuffer> | null
  /** Takes them back and, before long, overwrites them. */
  give(memory: Uint8Array<SharedArrayBuffer>): void
}

export type TokenisedQuestion = {
  /** Names its tokens among `KnownRows`. */
  readonly key: string
  /** TYPE, instruction tokens, EOI, EOQ. At most `MAX_INSTRUCTION_TOKENS` of them. */
  readonly instruction: Int32Array
  /** OPEN, option tokens, CLOSE of each option; any length. */
  readonly options: readonly Int32Array[]
  /** Whether an option's mean takes in the instruction's rows: noul's true side does. One flag per option. */
  readonly optionInstructionIncluded: readonly boolean[]
  /** Ranges of state tokens that the instruction names; empty: none in particular. */
  readonly focus: Ranges
  /** The logits' factor, one over the temperature of the question's type and option count. */
  readonly scale: number
}

/** Sorted, disjoint, end exclusive. */
export type Ranges = readonly (readonly [start: number, end: number])[]

/** A job that ended early for a reason its caller already knows. */
export class Interrupted extends Error {
  readonly why: 'deadline' | 'cancelled' | 'closed'
  constructor(why: 'deadline' | 'cancelled' | 'closed') {
    super(`The job was interrupted: ${why}`)
    this.name = 'Interrupted'
    this.why = why
  }
}

/** Why nobody waits any more, or null. */
export const goneBecause = (waiter: Signal, now: number): Interrupted | null => {
  if (waiter.cancelled()) return new Interrupted('cancelled')
  return now >= waiter.deadline ? new Interrupted('deadline') : null
}

/**
 * An instruction is kept as keys and values while its options are read, 9 KB a token:
 * the limit keeps one question's memory under 160 MB. Options have no limit.
 */
export const MAX_INSTRUCTION_TOKENS = 16_384
