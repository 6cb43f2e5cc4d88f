/**
 * The boundary between the scorer's core and the engine: token ids in, logits out.
 * The engine knows nothing about text, tenants, caches or HTTP.
 */
export type Backend = {
  /** Name, version and execution provider, for example `onnxruntime-node 1.30.0 (cpu)`. */
  readonly engine: string
  /** Memory that an encoded state of `tokens` tokens occupies. */
  stateBytes(tokens: number): number
  /** How many rows are encoded for a question: more than it has tokens if its instruction must be encoded repeatedly. */
  encodedRows(question: TokenisedQuestion): number
  /**
   * Encodes a whole state stream, markers included, into what questions need of it. Works block by block, so that
   * other jobs run in between. The encoded state is written to `memory`, which must hold at least `stateBytes`; the
   * caller may reuse that memory once nothing reads the state any more.
   */
  encodeState(ids: Int32Array, waiter: Waiter, memory: Uint8Array<SharedArrayBuffer>): Promise<EncodedState>
  /**
   * Returns one array of logits per question, one logit per option, in the order given. The rows of a question do not
   * depend on the state, so questions are encoded while the state is, and `known` may keep their rows for reuse.
   */
  readQuestions(
    state: Promise<EncodedState>,
    questions: readonly TokenisedQuestion[],
    waiter: Waiter,
    known: KnownRows,
  ): Promise<Float32Array[]>
  /** Refuses new work, lets the runs in progress finish and ends the worker threads. */
  close(): Promise<void>
}

/** Whoever waits for an answer. A job asks between runs, and rejects with `Interrupted` once nobody waits any more. */
export type Waiter = {
  /** Whether the answer has been given, at the latest at its deadline, or whoever waited has left. */
  gone(): boolean
}

/** Immutable, and shared between threads. */
export type EncodedState = {
  readonly tokens: number
  /** The last layer's rows, [tokens, width], in half precision. */
  readonly rows: Uint16Array<SharedArrayBuffer>
  /** Mean of all rows, [width]. */
  readonly mean: Float32Array<SharedArrayBuffer>
}

/** Rows of questions that are already encoded or are being encoded, piece by piece: [tokens, width] each. */
export type KnownRows = {
  get(question: string, piece: number): Promise<Float32Array> | undefined
  keep(question: string, piece: number, bytes: number, rows: Promise<Float32Array>): void
}

/** A pool that lends memory. */
export type MemoryPool = {
  /** At least `bytes` bytes with arbitrary contents, or null if the caller has to wait for them. */
  take(bytes: number): Uint8Array<SharedArrayBuffer> | null
  /** Returns memory to the pool, which soon overwrites it. */
  give(memory: Uint8Array<SharedArrayBuffer>): void
}

export type TokenisedQuestion = {
  /** Identifies the question's tokens in `KnownRows`. */
  readonly key: string
  /** TYPE, instruction tokens, EOI, EOQ. At most `MAX_INSTRUCTION_TOKENS` of them. */
  readonly instruction: Int32Array
  /** OPEN, option tokens, CLOSE of each option; any length. */
  readonly options: readonly Int32Array[]
  /** One flag per option: whether its mean includes the instruction's rows. It does for the true side of a noul. */
  readonly optionInstructionIncluded: readonly boolean[]
  /** Ranges of state tokens that the instruction points at; empty if it points at none. */
  readonly focus: Ranges
  /** What the logits are multiplied by: 1 / the temperature for the question's type and option count. */
  readonly scale: number
}

/** Sorted, disjoint, end exclusive. */
export type Ranges = readonly (readonly [start: number, end: number])[]

/** A job that ended early for a reason its caller already knows. */
export class Interrupted extends Error {
  readonly why: 'deadline' | 'cancelled' | 'closed'
  constructor(why: Interrupted['why']) {
    super(`The job was interrupted: ${why}`)
    this.name = 'Interrupted'
    this.why = why
  }
}

/**
 * The keys and values of an instruction are kept while its options are encoded, at 9 KB a token.
 * This limit keeps one question's memory under 160 MB. Options have no limit.
 */
export const MAX_INSTRUCTION_TOKENS = 16_384
