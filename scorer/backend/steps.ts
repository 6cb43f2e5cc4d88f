import type { EncodedState, Ranges } from './backend.ts'
import type { Piece, Run } from './pieces.ts'
import type { Segment } from './segments.ts'

/** Keys and values of an encoded instruction, [layers, heads, tokens, head width], in half precision. */
export type KeptInstruction = {
  readonly tokens: number
  readonly keys: Uint16Array<SharedArrayBuffer>
  readonly values: Uint16Array<SharedArrayBuffer>
}

/** A step as a worker takes it, without interruption: one run of a graph, or a few small ones. */
export type WorkerStep = Exclude<Step, { kind: 'piece' }> | { readonly kind: 'run'; readonly run: Run }

export type StepOf<Kind extends Step['kind']> = Extract<Step, { kind: Kind }>

/** What a job asks for. */
export type Step =
  | { readonly kind: 'piece'; readonly piece: Piece }
  | {
      readonly kind: 'state'
      /** Blocks of equal length, one after another. */
      readonly ids: Int32Array
      readonly blocks: number
      /** Where in the state the blocks belong. */
      readonly at: number
      readonly into: EncodedState
    }
  | {
      /** Rows of a long question that are encoded separately from its instruction, or from the rest of the question. */
      readonly kind: 'apart'
      readonly run: Run
      readonly instruction?: KeptInstruction
      /** Where to keep the rows' own keys and values for all layers. */
      readonly keep?: { readonly at: number; readonly into: KeptInstruction }
    }
  | ({ readonly kind: 'compare' } & Comparison)
  | ({ readonly kind: 'readout'; readonly questions: readonly Readout[] } & Sight)
  /** Both in one, for questions of which all rows are there. The rows are the step's own. */
  | ({ readonly kind: 'answer'; readonly questions: readonly Outline[] } & Comparison)

/** The part of a state that questions look at. */
type Sight = {
  readonly state: EncodedState
  /** Ranges of the state's tokens in focus; empty for all of them. */
  readonly focus: Ranges
}

export type Comparison = Sight & {
  /** Rows of questions, [rows, width]. */
  readonly rows: Float32Array
  /** The segments that the rows consist of, in order. */
  readonly segments: readonly Segment[]
}

/** What adding up a question's rows takes besides the rows. */
export type Outline = {
  readonly instructionTokens: number
  /** Which kind of marker opens each option. */
  readonly sides: readonly number[]
  readonly optionInstructionIncluded: readonly boolean[]
  readonly scale: number
}

/** The rows that one question's logits are read from. */
export type Readout = {
  /** Rows at the opening markers, [options, width]. */
  readonly openings: Float32Array
  /** Mean rows of the options, [options, width]. */
  readonly options: Float32Array
  /** Mean and maximum, side by side, of what was found in the state for each option's rows, [options, 2 · width]. */
  readonly found: Float32Array
  /** The same for the instruction. */
  readonly told: Float32Array
  /** Which kind of marker opens each option. */
  readonly sides: Int32Array
  readonly scale: number
  /** How many of the options there are: one of two may only fill the second row. */
  readonly count: number
}

/** What comes of each kind of step. */
export type Results = {
  /** Sum of the rows of each block, [blocks, width]. */
  state: Float32Array
  /** Rows of the piece, [rows, width]. */
  piece: Float32Array
  /** Rows of each of its pieces. */
  run: Float32Array[]
  apart: Float32Array
  compare: SegmentRows
  /** Logits of each question. */
  readout: Float32Array[]
  answer: Float32Array[]
}

/** The result of a comparison, per segment. */
export type SegmentRows = {
  /** Sums of each segment's rows, [segments, width]. */
  readonly sums: Float64Array
  /** Each segment's first row, [segments, width]. */
  readonly firsts: Float32Array
  /** Sums of what was found in the state for each segment's rows, [segments, width]. */
  readonly found: Float64Array
  /** The maximum of what was found, column by column, [segments, width]. */
  readonly most: Float32Array
}

/** A snapshot's dimensions, from its description. */
export type Shape = {
  readonly layers: number
  readonly heads: number
  readonly headWidth: number
  readonly width: number
  /** The id of the first opening marker. */
  readonly firstSide: number
}

export type Provider = 'cpu' | 'cuda' | 'webgpu'

/** What a worker is started with. */
export type WorkerSetup = {
  readonly folder: string
  readonly shape: Shape
  readonly provider: Provider
  readonly threads: number
}

export type Order = { readonly id: number; readonly step: WorkerStep }
export type Reply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly id: number; readonly result: Results[WorkerStep['kind']] }
  | { readonly kind: 'failed'; readonly id: number }
