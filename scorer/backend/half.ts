// The engine's threads have no Float16Array (see worker.ts); a table of all 65,536 values decodes as fast.
const VALUES = Float32Array.from({ length: 65_536 }, (_, bits) => decode(bits))

/** The number that sixteen bits stand for in IEEE half precision. */
export const halfToFloat = (bits: number): number => VALUES[bits] ?? Number.NaN

function decode(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

const number = new Float32Array(1)
const bits = new Uint32Array(number.buffer)

/** The sixteen bits of the nearest number in half precision, of two the even one; infinity where it is out of reach. */
export const floatToHalf = (value: number): number => {
  number[0] = value
  const from = bits[0] ?? 0
  const sign = (from >>> 16) & 0x8000
  const exponent = ((from >>> 23) & 0xff) - 112
  const fraction = from & 0x7fffff
  if (exponent >= 0x1f) return sign | (Number.isNaN(value) ? 0x7e00 : 0x7c00)
  if (exponent > 0) return sign | rounded((exponent << 23) | fraction, 13)
  return exponent < -10 ? sign : sign | rounded(fraction | 0x800000, 14 - exponent)
}

/** Without its last bits, to the nearest. */
const rounded = (value: number, dropped: number): number => {
  const kept = value >>> dropped
  const rest = value & ((1 << dropped) - 1)
  const half = 1 << (dropped - 1)
  return rest > half || (rest === half && kept & 1) ? kept + 1 : kept
}
