// Node 22 has no Float16Array; a table of all 65,536 values decodes as fast.
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
