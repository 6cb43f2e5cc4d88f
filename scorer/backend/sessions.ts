import { join } from 'node:path'
import type { Ranges } from './backend.ts'
import { cutsByteProducts } from './byte-products.ts'
import { InferenceSession, Tensor } from './onnxruntime.ts'
import { pieceOfBlocks, type Run, rowsOfEach, runOf } from './pieces.ts'
import type { Segment } from './segments.ts'
import type {
  Comparison,
  KeptInstruction,
  Readout,
  Results,
  SegmentRows,
  Shape,
  StepOf,
  WorkerSetup,
  WorkerStep,
} from './steps.ts'
import { Tally } from './tally.ts'
import { trialSteps } from './trial.ts'

/** Runs steps on the graphs of one snapshot. Sessions are created once, because creating and releasing them leaks. */
type Runner = { run(step: WorkerStep): Promise<Results[WorkerStep['kind']]> }

export const openRunner = async ({ folder, shape, provider, threads }: WorkerSetup): Promise<Runner> => {
  const needsWiderProducts = provider === 'cpu' && (await cutsByteProducts())
  const options: InferenceSession.SessionOptions = {
    executionProviders: [provider],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // The graphs are fused by hand. The higher level only makes the weights unsigned, if told to: their products are
    // exact on every processor, but take 1.7 times as long on one that did not need it.
    graphOptimizationLevel: needsWiderProducts ? 'extended' : 'basic',
    // Shapes differ from run to run, so remembered allocation patterns would only pile up.
    enableMemPattern: false,
    // Failures are thrown. Log lines of onnxruntime's own would quote the input of a run.
    logSeverityLevel: 4,
    extra: {
      // Otherwise the idle threads of one session spin against those of the next.
      session: { force_spinning_stop: '1', x64quantprecision: needsWiderProducts ? '1' : '0' },
      // On ARM with SME (Apple M4 and later), products of few rows would be added up in another way than those of many.
      mlas: { disable_kleidiai: '1' },
    },
  }
  // Elsewhere a product of 8-bit integers would run on the CPU, between two copies of all rows.
  const variant = provider === 'cpu' ? '' : '.gpu'
  const open = (name: string, more: InferenceSession.SessionOptions = {}) =>
    InferenceSession.create(join(folder, `${name}${variant}.onnx`), { ...options, ...more })
  const state = await open('state')
  const question = await open('question')
  const wide = await open('wide')
  // With several threads, a product over many columns is added up in panels whose size depends on the number of rows.
  const compare = await open('compare', { intraOpNumThreads: 1 })
  const readout = await open('readout')
  const runner: Runner = {
    run: step => {
      switch (step.kind) {
        case 'run':
          return encode(question, step.run, {}).then(out =>
            rowsOfEach(step.run, floats(out.rows), shape.width),
          )
        case 'state':
          return readBlocks(state, shape, step)
        case 'apart':
          return readApart(wide, shape, step)
        case 'compare':
          return compareRows(compare, shape, step)
        case 'readout':
          return readLogits(readout, shape, step)
        case 'answer':
          return compareRows(compare, shape, step).then(compared =>
            readLogits(readout, shape, { ...step, questions: tallied(step, compared, shape.width) }),
          )
      }
    },
  }
  for (const step of trialSteps(shape)) await runner.run(step)
  return runner
}

type Feeds = Record<string, Tensor>

const readBlocks = async (
  session: InferenceSession,
  shape: Shape,
  step: StepOf<'state'>,
): Promise<Float32Array> => {
  const { ids, blocks, at, into } = step
  const out = await session.run({ ids: new Tensor('int32', ids, [blocks, ids.length / blocks]) })
  into.rows.set(halves(out.rows), at * shape.width)
  return floats(out.sums)
}

const readApart = async (
  session: InferenceSession,
  shape: Shape,
  { run, instruction = NO_INSTRUCTION, keep }: StepOf<'apart'>,
): Promise<Float32Array> => {
  const wanted = keep ? ['rows', 'keys', 'values'] : ['rows']
  // Which rows of an instruction share a run depends on its length alone.
  const encoded = keep ? run : inCompany(run)
  const out = await encode(session, encoded, instructionFeeds(instruction, shape), wanted)
  if (keep) {
    place(halves(out.keys), keep.into.keys, keep.at, run.ids.length, shape.headWidth)
    place(halves(out.values), keep.into.values, keep.at, run.ids.length, shape.headWidth)
  }
  return floats(out.rows).subarray(0, run.ids.length * shape.width)
}

/** A single row twice: whether a row of an option is alone depends on the options around it. See `twice`. */
const inCompany = (run: Run): Run => {
  if (run.ids.length > 1) return run
  const block = { ids: run.ids, place: run.places[0] ?? 0 }
  return runOf([pieceOfBlocks([block, block])])
}

const encode = (session: InferenceSession, run: Run, more: Feeds, wanted = ['rows']) => {
  const { slots, ids, places, own, reads } = run
  const column = (data: Int32Array) => new Tensor('int32', data, [slots, ids.length / slots])
  const feeds = { ids: column(ids), places: column(places), own: column(own), reads: column(reads) }
  return session.run({ ...feeds, ...more }, wanted)
}

const compareRows = async (
  session: InferenceSession,
  { width }: Shape,
  { rows, segments, state, focus }: Comparison,
): Promise<SegmentRows> => {
  const seen = focus.length > 0 ? rowsWithin(state.rows, focus, width) : state.rows
  const compared = rows.length === width ? twice(rows) : rows
  const out = await session.run({
    rows: new Tensor('float32', compared, [compared.length / width, width]),
    state_rows: new Tensor('float16', seen, [seen.length / width, width]),
  })
  return gather(rows, floats(out.found), segments, width)
}

const tallied = (
  { questions, segments }: StepOf<'answer'>,
  compared: SegmentRows,
  width: number,
): Readout[] => {
  const tallies = questions.map(question => new Tally(question, width))
  for (const [n, segment] of segments.entries()) tallies[segment.question]?.add(segment, n, compared)
  return tallies.map(tally => tally.readout())
}

const readLogits = async (
  session: InferenceSession,
  { width }: Shape,
  { questions, state, focus }: Omit<StepOf<'readout'>, 'kind'>,
): Promise<Float32Array[]> => {
  const mean = focus.length > 0 ? meanOf(state.rows, focus, width) : state.mean
  const logits: Float32Array[] = []
  for (const { openings, options, found, told, sides, scale, count } of questions) {
    const rows = (data: Float32Array, columns = width) =>
      new Tensor('float32', data, [data.length / columns, columns])
    const out = await session.run({
      openings: rows(openings),
      options: rows(options),
      found: rows(found, 2 * width),
      told: rows(twice(told), 2 * width),
      sides: new Tensor('int32', sides, [sides.length]),
      state: rows(twice(mean)),
      scale: new Tensor('float32', Float32Array.of(scale), [1]),
    })
    logits.push(floats(out.logits).slice(0, count))
  }
  return logits
}

/** A product with a single row may be computed differently, so there are always two. */
const twice = (row: Float32Array): Float32Array => {
  const rows = new Float32Array(2 * row.length)
  rows.set(row)
  rows.set(row, row.length)
  return rows
}

/** Adds up each segment's rows in order, and picks out the first row. */
const gather = (
  rows: Float32Array,
  found: Float32Array,
  segments: readonly Segment[],
  width: number,
): SegmentRows => {
  const sums = new Float64Array(segments.length * width)
  const foundSums = new Float64Array(segments.length * width)
  const most = new Float32Array(segments.length * width).fill(Number.NEGATIVE_INFINITY)
  const firsts = new Float32Array(segments.length * width)
  let row = 0
  for (const [number, { length }] of segments.entries()) {
    const own = number * width
    firsts.set(rows.subarray(row * width, (row + 1) * width), own)
    for (const end = row + length; row < end; row++) {
      const from = row * width
      for (let i = 0; i < width; i++) {
        const value = found[from + i] ?? 0
        sums[own + i] = (sums[own + i] ?? 0) + (rows[from + i] ?? 0)
        foundSums[own + i] = (foundSums[own + i] ?? 0) + value
        if (value > (most[own + i] ?? 0)) most[own + i] = value
      }
    }
  }
  return { sums, firsts, found: foundSums, most }
}

/** Copies [layers · heads, count, head width] to row `at` of keys or values with room for more tokens. */
const place = (from: Uint16Array, into: Uint16Array, at: number, count: number, headWidth: number): void => {
  const run = count * headWidth
  const planes = from.length / run
  const plane = into.length / planes
  for (let p = 0; p < planes; p++) into.set(from.subarray(p * run, (p + 1) * run), p * plane + at * headWidth)
}

/** Some of a state's rows, one range after another. */
const rowsWithin = (rows: Uint16Array, ranges: Ranges, width: number): Uint16Array => {
  const count = ranges.reduce((sum, [start, end]) => sum + end - start, 0)
  const within = new Uint16Array(count * width)
  let at = 0
  for (const [start, end] of ranges) {
    within.set(rows.subarray(start * width, end * width), at)
    at += (end - start) * width
  }
  return within
}

/** Captured before worker.ts deletes the global to hide it from onnxruntime. */
const Halves = Float16Array

/** The mean of some of a state's rows, added up in order. */
const meanOf = (rows: Uint16Array, ranges: Ranges, width: number): Float32Array => {
  const numbers = new Halves(rows.buffer, rows.byteOffset, rows.length)
  const sum = new Float64Array(width)
  let count = 0
  for (const [start, end] of ranges) {
    count += end - start
    for (let at = start * width, i = 0; at < end * width; at++, i = i + 1 === width ? 0 : i + 1) {
      sum[i] = (sum[i] ?? 0) + (numbers[at] ?? 0)
    }
  }
  return Float32Array.from(sum, x => x / count)
}

const instructionFeeds = (kept: KeptInstruction, { layers, heads, headWidth }: Shape): Feeds => {
  const shape = [layers, heads, kept.tokens, headWidth]
  return {
    instruction_keys: new Tensor('float16', kept.keys, shape),
    instruction_values: new Tensor('float16', kept.values, shape),
  }
}

const NOTHING = new Uint16Array(new SharedArrayBuffer(0))
const NO_INSTRUCTION: KeptInstruction = { tokens: 0, keys: NOTHING, values: NOTHING }

const floats = (tensor: Tensor | undefined): Float32Array => {
  if (!(tensor?.data instanceof Float32Array)) throw new TypeError('The graph gave no float32 tensor')
  return tensor.data
}

/** Half-precision numbers as raw bits. */
const halves = (tensor: Tensor | undefined): Uint16Array => {
  if (!(tensor?.data instanceof Uint16Array)) throw new TypeError('The graph gave no float16 tensor')
  return tensor.data
}
