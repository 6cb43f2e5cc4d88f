import { InferenceSession, Tensor } from '../backend/onnxruntime.ts'
import { timed } from './measure.ts'
import { onnxFile, tensor } from './onnx-file.ts'

const SIZE = 1024
const RUNS = 12

/** The best speed of the machine's matrix products through onnxruntime, in FLOP/s. */
export const measurePeak = async (threads: number): Promise<{ float32: number; int8: number }> => ({
  float32: await best(floatProduct(), new Tensor('float32', floats(SIZE * SIZE), [SIZE, SIZE]), threads),
  int8: await best(integerProduct(), new Tensor('uint8', bytes(SIZE * SIZE), [SIZE, SIZE]), threads),
})

const best = async (model: Uint8Array, x: Tensor, threads: number): Promise<number> => {
  const session = await InferenceSession.create(model, { intraOpNumThreads: threads })
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < RUNS; run++) least = Math.min(least, await timed(() => session.run({ x })))
  await session.release()
  return (2 * SIZE ** 3) / (least / 1000)
}

const bytes = (count: number) => new Uint8Array(count).fill(3)
const floats = (count: number) => new Float32Array(count).fill(0.5)
const output = { name: 'y', type: 'float32', dims: [SIZE, SIZE] } as const

const floatProduct = () =>
  onnxFile({
    nodes: [{ op: 'MatMul', inputs: ['x', 'w'], outputs: ['y'] }],
    inputs: [{ name: 'x', type: 'float32', dims: [SIZE, SIZE] }],
    outputs: [output],
    initializers: [tensor('w', 'float32', [SIZE, SIZE], floats(SIZE * SIZE))],
  })

const integerProduct = () =>
  onnxFile({
    nodes: [{ op: 'MatMulIntegerToFloat', inputs: ['x', 'w', 's', 'ws', 'z'], outputs: ['y'], own: true }],
    inputs: [{ name: 'x', type: 'uint8', dims: [SIZE, SIZE] }],
    outputs: [output],
    initializers: [
      tensor('w', 'int8', [SIZE, SIZE], new Int8Array(SIZE * SIZE).fill(5)),
      tensor('s', 'float32', [], Float32Array.of(0.01)),
      tensor('ws', 'float32', [SIZE], floats(SIZE)),
      tensor('z', 'uint8', [], Uint8Array.of(128)),
    ],
  })
