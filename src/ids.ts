const ID_BYTES = 12
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** `<prefix>_` and 24 hex characters. */
export const newId = (prefix: string, randomBytes: (count: number) => Uint8Array): string => {
  let id = `${prefix}_`
  for (const byte of randomBytes(ID_BYTES)) id += HEX[byte]
  return id
}
