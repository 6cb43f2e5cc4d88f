/** A llama-architecture model file with made-up weights, in the GGUF format, version 3. */
type LlamaShape = {
  readonly vocabulary: number
  readonly width: number
  readonly inner: number
  readonly layers: number
  readonly heads: number
  readonly context: number
}

const ALIGNMENT = 32
const TYPE = { uint32: 4, int32: 5, float32: 6, string: 8, array: 9 } as const
const FLOAT32_TENSOR = 0

export const ggufFile = (shape: LlamaShape): Buffer => {
  const described = metadata(shape)
  const tensors = tensorsOf(shape)
  const infos: Buffer[] = []
  const datas: Buffer[] = []
  let offset = 0
  for (const { name, dims } of tensors) {
    const data = numbers(dims)
    infos.push(text(name), u32(dims.length), ...dims.map(u64), u32(FLOAT32_TENSOR), u64(offset))
    const padded = Math.ceil(data.length / ALIGNMENT) * ALIGNMENT
    datas.push(data, Buffer.alloc(padded - data.length))
    offset += padded
  }
  const head = Buffer.concat([
    Buffer.from('GGUF'),
    u32(3),
    u64(tensors.length),
    u64(described.length),
    ...described,
    ...infos,
  ])
  return Buffer.concat([head, Buffer.alloc(-head.length & (ALIGNMENT - 1)), ...datas])
}

const tensorsOf = ({ vocabulary, width, inner, layers }: LlamaShape) => [
  { name: 'token_embd.weight', dims: [width, vocabulary] },
  { name: 'output_norm.weight', dims: [width] },
  ...Array.from({ length: layers }, (_, n) => [
    { name: `blk.${n}.attn_norm.weight`, dims: [width] },
    ...['q', 'k', 'v', 'output'].map(part => ({
      name: `blk.${n}.attn_${part}.weight`,
      dims: [width, width],
    })),
    { name: `blk.${n}.ffn_norm.weight`, dims: [width] },
    { name: `blk.${n}.ffn_gate.weight`, dims: [width, inner] },
    { name: `blk.${n}.ffn_up.weight`, dims: [width, inner] },
    { name: `blk.${n}.ffn_down.weight`, dims: [inner, width] },
  ]).flat(),
]

const metadata = ({ vocabulary, width, inner, layers, heads, context }: LlamaShape): Buffer[] => {
  const ids = Array.from({ length: vocabulary }, (_, id) => id)
  const count = (key: string, value: number) => pair(`llama.${key}`, TYPE.uint32, u32(value))
  return [
    pair('general.architecture', TYPE.string, text('llama')),
    count('context_length', context),
    count('embedding_length', width),
    count('block_count', layers),
    count('feed_forward_length', inner),
    count('attention.head_count', heads),
    count('attention.head_count_kv', heads),
    count('rope.dimension_count', width / heads),
    pair('llama.attention.layer_norm_rms_epsilon', TYPE.float32, f32(1e-5)),
    pair('tokenizer.ggml.model', TYPE.string, text('llama')),
    pair(
      'tokenizer.ggml.tokens',
      TYPE.array,
      list(
        TYPE.string,
        ids.map(id => text(pieceOf(id))),
      ),
    ),
    pair(
      'tokenizer.ggml.scores',
      TYPE.array,
      list(
        TYPE.float32,
        ids.map(id => f32(-id)),
      ),
    ),
    pair(
      'tokenizer.ggml.token_type',
      TYPE.array,
      list(
        TYPE.int32,
        ids.map(id => u32(kindOf(id))),
      ),
    ),
    pair('tokenizer.ggml.bos_token_id', TYPE.uint32, u32(1)),
    pair('tokenizer.ggml.eos_token_id', TYPE.uint32, u32(2)),
  ]
}

const FIRST_BYTE = 3
const isByte = (id: number) => id >= FIRST_BYTE && id < FIRST_BYTE + 256
const pieceOf = (id: number): string => {
  if (id < FIRST_BYTE) return ['<unk>', '<s>', '</s>'][id] ?? ''
  return isByte(id) ? `<0x${(id - FIRST_BYTE).toString(16).toUpperCase().padStart(2, '0')}>` : `\u2581w${id}`
}
/** Unknown, control, byte and normal tokens, as llama.cpp numbers them. */
const kindOf = (id: number): number => (id === 0 ? 2 : id < FIRST_BYTE ? 3 : isByte(id) ? 6 : 1)

/** Norms are all ones; other weights are spread like those of an untrained network. */
const numbers = (dims: readonly number[]): Buffer => {
  const size = dims.reduce((product, dim) => product * dim, 1)
  const spread = 1 / Math.sqrt(dims[0] ?? 1)
  const values = new Float32Array(size)
  for (let i = 0; i < size; i++) values[i] = dims.length === 1 ? 1 : Math.sin(i * 12.9898) * spread
  return Buffer.from(values.buffer)
}

const pair = (key: string, type: number, value: Buffer) => Buffer.concat([text(key), u32(type), value])
const list = (type: number, items: readonly Buffer[]) =>
  Buffer.concat([u32(type), u64(items.length), ...items])
const text = (value: string) => Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)])
const u32 = (value: number) => Buffer.from(Uint32Array.of(value).buffer)
const u64 = (value: number) => Buffer.from(BigUint64Array.of(BigInt(value)).buffer)
const f32 = (value: number) => Buffer.from(Float32Array.of(value).buffer)
