import { join } from 'node:path'
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { halfToFloat } from './half.ts'
import type { Pack } from './packing.ts'
import type { Memory, Outcome, Ranges, Readout, Shape, Step, WorkerSetup } from './steps.ts'

/** Runs steps on the graphs of one snapshot. Sessions are made once: making and releasing them leaks. */
export type Runner = { run(step: Step): Promise<Outcome[Step['kind']]> }

export const openRunner = async ({ folder, shape, provider, threads }: WorkerSetup): Promise<Runner> => {
  const options: InferenceSession.SessionOptions = {
    executionProviders: [provider],
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // The graphs are fused by hand. Higher levels make SkipLayerNormalization, which is eight times slower on the
    // processor than the additions and the LayerNormalization that it replaces.
    graphOptimizationLevel: 'basic',
    // Shapes differ from run to run, so remembered allocation patterns only pile up.
    enableMemPattern: false,
    logSeverityLevel: 3,
    // Otherwise the idle threads of one session spin against those of the next.
    extra: { session: { force_spinning_stop: '1' } },
  }
  const open = (name: string) => InferenceSession.create(join(folder, `${name}.onnx`), options)
  const state = await open('state')
  const question = await open('question')
  const wide = await open('wide')
  const readout = await open('readout')
  return {
    run: step => {
      switch (step.kind) {
        case 'state':
          return readBlocks(state, shape, step)
        case 'question':
          return step.focus || step.instruction || step.keep
            ? readWide(wide, shape, step)
            : readRows(
                question,
                shape,
                step.pack,
                memoryFeeds('state', step.state, shape.layers - shape.see, shape),
              )
        case 'mean':
          return Promise.resolve(meanOf(step.state.rows, step.ranges, shape.width))
        case 'readout':
          return readOut(readout, shape, step.units)
      }
    },
  }
}

/** Keys that the wide graph reads at a time. */
const KEY_CHUNK = 512

type Feeds = Record<string, Tensor>
type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>

const readBlocks = async (
  session: InferenceSession,
  shape: Shape,
  step: StepOf<'state'>,
): Promise<Float32Array> => {
  const { ids, blocks, at, into } = step
  const out = await session.run({ ids: new Tensor('int32', ids, [blocks, ids.length / blocks]) })
  place(halves(out.keys), into.keys, at, ids.length, shape.headWidth)
  place(halves(out.values), into.values, at, ids.length, shape.headWidth)
  into.rows.set(halves(out.rows), at * shape.width)
  return floats(out.sums)
}

const readWide = async (session: InferenceSession, shape: Shape, step: StepOf<'question'>) => {
  const seen = shape.layers - shape.see
  const feeds = {
    ...memoryFeeds('state', step.state, seen, shape),
    focus: focusFeed(step.focus ?? []),
    ...memoryFeeds('instruction', step.instruction ?? NO_MEMORY, shape.layers, shape),
  }
  return readRows(session, shape, step.pack, feeds, step.keep)
}

const readRows = async (
  session: InferenceSession,
  shape: Shape,
  pack: Pack,
  memories: Feeds,
  keep?: { at: number; into: Memory },
): Promise<Outcome['question']> => {
  const count = pack.ids.length
  const column = (data: Int32Array) => new Tensor('int32', data, [pack.slots, count / pack.slots])
  const feeds = {
    ids: column(pack.ids),
    places: column(pack.places),
    own: column(pack.own),
    reads: column(pack.reads),
  }
  const out = await session.run({ ...feeds, ...memories }, keep ? ['rows', 'keys', 'values'] : ['rows'])
  if (keep) {
    place(halves(out.keys), keep.into.keys, keep.at, count, shape.headWidth)
    place(halves(out.values), keep.into.values, keep.at, count, shape.headWidth)
  }
  return gather(floats(out.rows), pack, shape.width)
}

const readOut = async (session: InferenceSession, { width }: Shape, units: readonly Readout[]) => {
  const logits: Float32Array[] = []
  for (const { openings, options, state, scale } of units) {
    const rows = (data: Float32Array) => new Tensor('float32', data, [data.length / width, width])
    const feeds = {
      openings: rows(openings),
      options: rows(options),
      state: rows(state),
      scale: new Tensor('float32', Float32Array.of(scale), [1]),
    }
    const out = await session.run(feeds)
    logits.push(Float32Array.from(floats(out.logits)))
  }
  return logits
}

/** Adds up each segment's rows in their order, and picks the rows at the opening markers. */
const gather = (rows: Float32Array, { segments }: Pack, width: number): Outcome['question'] => {
  const sums = new Float64Array(segments.length * width)
  const openings = new Float32Array(segments.filter(s => s.opens).length * width)
  let opening = 0
  for (const [number, { start, length, opens }] of segments.entries()) {
    const sum = sums.subarray(number * width, (number + 1) * width)
    for (let row = start; row < start + length; row++) {
      const from = row * width
      for (let i = 0; i < width; i++) sum[i] = (sum[i] ?? 0) + (rows[from + i] ?? 0)
    }
    if (opens) openings.set(rows.subarray(start * width, (start + 1) * width), opening++ * width)
  }
  return { sums, openings }
}

/** Copies [layers · heads, count, head width] to row `at` of a memory that holds more tokens. */
const place = (from: Uint16Array, into: Uint16Array, at: number, count: number, headWidth: number): void => {
  const run = count * headWidth
  const planes = from.length / run
  const plane = into.length / planes
  for (let p = 0; p < planes; p++) into.set(from.subarray(p * run, (p + 1) * run), p * plane + at * headWidth)
}

/** Ranges in pieces that the graph reads in one go. */
const focusFeed = (ranges: Ranges): Tensor => {
  const table: bigint[] = []
  for (const [start, end] of ranges) {
    for (let at = start; at < end; at += KEY_CHUNK)
      table.push(BigInt(at), BigInt(Math.min(at + KEY_CHUNK, end)))
  }
  return new Tensor('int64', BigInt64Array.from(table), [table.length / 2, 2])
}

/** The mean of some of a state's rows, added up in order. */
const meanOf = (rows: Uint16Array, ranges: Ranges, width: number): Float32Array => {
  const sum = new Float64Array(width)
  let count = 0
  for (const [start, end] of ranges) {
    count += end - start
    for (let at = start * width, i = 0; at < end * width; at++, i = i + 1 === width ? 0 : i + 1) {
      sum[i] = (sum[i] ?? 0) + halfToFloat(rows[at] ?? 0)
    }
  }
  return Float32Array.from(sum, x => x / count)
}

const memoryFeeds = (name: string, memory: Memory, layers: number, { heads, headWidth }: Shape): Feeds => {
  const shape = [layers, heads, memory.tokens, headWidth]
  return {
    [`${name}_keys`]: new Tensor('float16', memory.keys, shape),
    [`${name}_values`]: new Tensor('float16', memory.values, shape),
  }
}

const NOTHING = new Uint16Array(new SharedArrayBuffer(0))
const NO_MEMORY: Memory = { tokens: 0, keys: NOTHING, values: NOTHING }

const floats = (tensor: Tensor | undefined): Float32Array => {
  if (!(tensor?.data instanceof Float32Array)) throw new TypeError('The graph gave no float32 tensor')
  return tensor.data
}

/** Half-precision numbers as their bits, whichever array type this Node has for them. */
const halves = (tensor: Tensor | undefined): Uint16Array => {
  const data = tensor?.type === 'float16' ? tensor.data : undefined
  if (!ArrayBuffer.isView(data)) throw new TypeError('The graph gave no float16 tensor')
  return new Uint16Array(data.buffer, data.byteOffset, data.byteLength / 2)
}
