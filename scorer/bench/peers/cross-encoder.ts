// node scorer/bench/peers/cross-encoder.ts: what people use for zero-shot decisions today, an NLI cross-encoder of
// RoBERTa-large's shape, with one pass per option. Its weights are made up and shared between its layers. Sharing is
// easier on the CPU caches, so the figures flatter it.
import { availableParallelism } from 'node:os'
import { InferenceSession, Tensor } from '../../backend/onnxruntime.ts'
import { ms, timed } from '../measure.ts'
import { type Initializer, type Node, onnxFile, tensor } from '../onnx-file.ts'

const SHAPE = { layers: 24, width: 1024, inner: 4096, heads: 16, labels: 3 }
const STATE_TOKENS = 300
const HYPOTHESIS_TOKENS = 34
const PASSES = 12
const QUESTIONS = 3

const weight = (name: string, rows: number, columns: number): Initializer => {
  const values = new Float32Array(rows * columns)
  for (let i = 0; i < values.length; i++) values[i] = Math.sin(i * 12.9898) / Math.sqrt(rows)
  return tensor(name, 'float32', [rows, columns], values)
}
const vector = (name: string, size: number, value: number) =>
  tensor(name, 'float32', [size], new Float32Array(size).fill(value))

const { width, inner } = SHAPE
const initializers = [
  ...['q', 'k', 'v', 'o'].map(name => weight(name, width, width)),
  weight('up', width, inner),
  weight('down', inner, width),
  weight('head', width, SHAPE.labels),
  vector('bias', width, 0),
  vector('inner_bias', inner, 0),
  vector('gain', width, 1),
]

const layer = (n: number, x: string): Node[] => {
  const name = (part: string) => `${part}${n}`
  const product = (from: string, by: string, to: string): Node => ({
    op: 'MatMul',
    inputs: [from, by],
    outputs: [to],
  })
  const norm = (a: string, b: string, to: string): Node[] => [
    { op: 'Add', inputs: [a, b], outputs: [`${to}_sum`] },
    {
      op: 'LayerNormalization',
      inputs: [`${to}_sum`, 'gain', 'bias'],
      outputs: [to],
      attributes: { axis: 2, epsilon: { real: 1e-5 } },
    },
  ]
  return [
    ...['q', 'k', 'v'].map(part => product(x, part, name(part))),
    {
      op: 'MultiHeadAttention',
      inputs: [name('q'), name('k'), name('v')],
      outputs: [name('seen')],
      attributes: { num_heads: SHAPE.heads },
      own: true,
    },
    product(name('seen'), 'o', name('mixed')),
    ...norm(x, name('mixed'), name('middle')),
    product(name('middle'), 'up', name('wide')),
    { op: 'BiasGelu', inputs: [name('wide'), 'inner_bias'], outputs: [name('active')], own: true },
    product(name('active'), 'down', name('narrow')),
    ...norm(name('middle'), name('narrow'), name('x')),
  ]
}

const nodes = Array.from({ length: SHAPE.layers }, (_, n) => layer(n, n === 0 ? 'rows' : `x${n - 1}`)).flat()
const last = `x${SHAPE.layers - 1}`
const model = onnxFile({
  nodes: [...nodes, { op: 'MatMul', inputs: [last, 'head'], outputs: ['labels'] }],
  inputs: [{ name: 'rows', type: 'float32', dims: [1, 'T', width] }],
  outputs: [{ name: 'labels', type: 'float32', dims: [1, 'T', SHAPE.labels] }],
  initializers,
})

const session = await InferenceSession.create(model, {
  intraOpNumThreads: availableParallelism(),
  graphOptimizationLevel: 'basic',
})
const length = STATE_TOKENS + HYPOTHESIS_TOKENS
const rows = Float32Array.from({ length: length * width }, (_, i) => Math.sin(i))
const pass = () => session.run({ rows: new Tensor('float32', rows, [1, length, width]) })
await pass()
const whole = await timed(async () => {
  for (let option = 0; option < PASSES; option++) await pass()
})
console.log(
  `cross-encoder, ${QUESTIONS} questions of 4 options on a ${STATE_TOKENS}-token state: ${ms(whole)}`,
)
console.log(`${((1000 * QUESTIONS) / whole).toFixed(2)} decisions a second`)
