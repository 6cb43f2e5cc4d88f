/** The part of the ONNX file format that the benchmarks need: graphs of float, int8 and uint8 tensors. */

const varint = (value: number): number[] => {
  const bytes: number[] = []
  let rest = value
  while (rest > 0x7f) {
    bytes.push((rest % 128) | 0x80)
    rest = Math.floor(rest / 128)
  }
  return [...bytes, rest]
}
const number = (field: number, value: number): Uint8Array =>
  Uint8Array.from([...varint(field << 3), ...varint(value)])
const bytes = (field: number, value: Uint8Array): Uint8Array =>
  Buffer.concat([Uint8Array.from([...varint((field << 3) | 2), ...varint(value.length)]), value])
const text = (field: number, value: string): Uint8Array => bytes(field, Buffer.from(value))
const real = (field: number, value: number): Uint8Array =>
  Buffer.concat([Uint8Array.from(varint((field << 3) | 5)), Buffer.from(Float32Array.of(value).buffer)])
const message = (...fields: Uint8Array[]): Uint8Array => Buffer.concat(fields)

const TYPES = { float32: 1, uint8: 2, int8: 3 } as const
type ElementType = keyof typeof TYPES

export type Initializer = {
  readonly name: string
  readonly type: ElementType
  readonly dims: readonly number[]
  readonly data: Uint8Array
}
export type Node = {
  readonly op: string
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
  /** Plain numbers, which must be integers from 0 up, become integer attributes. */
  readonly attributes?: Readonly<Record<string, number | { real: number }>>
  readonly own?: boolean
}
type Value = {
  readonly name: string
  readonly type: ElementType
  readonly dims: readonly (number | string)[]
}

export const tensor = (
  name: string,
  type: ElementType,
  dims: readonly number[],
  data: Float32Array | Int8Array | Uint8Array,
): Initializer => ({ name, type, dims, data: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) })

export const onnxFile = (graph: {
  nodes: readonly Node[]
  inputs: readonly Value[]
  outputs: readonly Value[]
  initializers: readonly Initializer[]
}): Uint8Array =>
  message(
    number(1, 10),
    bytes(8, message(text(1, ''), number(2, 21))),
    bytes(8, message(text(1, 'com.microsoft'), number(2, 1))),
    bytes(
      7,
      message(
        ...graph.nodes.map(node => bytes(1, nodeOf(node))),
        text(2, 'bench'),
        ...graph.initializers.map(({ name, type, dims, data }) =>
          bytes(
            5,
            message(...dims.map(d => number(1, d)), number(2, TYPES[type]), text(8, name), bytes(9, data)),
          ),
        ),
        ...graph.inputs.map(value => bytes(11, valueInfo(value))),
        ...graph.outputs.map(value => bytes(12, valueInfo(value))),
      ),
    ),
  )

const nodeOf = ({ op, inputs, outputs, attributes = {}, own = false }: Node): Uint8Array =>
  message(
    ...inputs.map(name => text(1, name)),
    ...outputs.map(name => text(2, name)),
    text(4, op),
    ...Object.entries(attributes).map(([name, value]) => bytes(5, attributeOf(name, value))),
    ...(own ? [text(7, 'com.microsoft')] : []),
  )

const attributeOf = (name: string, value: number | { real: number }): Uint8Array =>
  typeof value === 'number'
    ? message(text(1, name), number(3, value), number(20, 2))
    : message(text(1, name), real(2, value.real), number(20, 1))

const valueInfo = ({ name, type, dims }: Value): Uint8Array =>
  message(
    text(1, name),
    bytes(
      2,
      message(
        bytes(
          1,
          message(
            number(1, TYPES[type]),
            bytes(2, message(...dims.map(d => bytes(1, typeof d === 'number' ? number(1, d) : text(2, d))))),
          ),
        ),
      ),
    ),
  )
