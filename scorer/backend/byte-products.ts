import { InferenceSession, Tensor } from './onnxruntime.ts'

/** y [2, 16] = x [2, 4] · w, as one MatMulInteger: x is unsigned, and w is 127 throughout, the largest signed byte. */
const GRAPH = Buffer.from(
  'CAoSADqTAQoYCgF4CgF3EgF5Ig1NYXRNdWxJbnRlZ2VyEgAqSwgECBAQA0IBd0pAf39/f39/f39/f39/f39/f39/f39/f39/f39/f39/' +
    'f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f39/f1oTCgF4Eg4KDAgCEggKAggCCgIIBGITCgF5Eg4KDAgGEggKAggCCgIIEEIE' +
    'CgAQFQ==',
  'base64',
)
const LARGEST = 255
const EXACT = 4 * LARGEST * 127

/**
 * Whether the engine cuts off sums of products of bytes. It does so on processors without VNNI or the like (such as AMD
 * before Zen 4 and Intel before Cascade Lake), which add two products at a time in 16 bits. Only the engine knows which
 * instructions it uses, so it is asked.
 */
export const cutsByteProducts = async (): Promise<boolean> => {
  const session = await InferenceSession.create(GRAPH, { intraOpNumThreads: 1, logSeverityLevel: 4 })
  try {
    const { y } = await session.run({ x: new Tensor('uint8', new Uint8Array(8).fill(LARGEST), [2, 4]) })
    if (!(y?.data instanceof Int32Array)) throw new TypeError('The graph gave no int32 tensor')
    return y.data.some(sum => sum !== EXACT)
  } finally {
    await session.release()
  }
}
