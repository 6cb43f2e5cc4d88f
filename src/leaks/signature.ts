const NUMBER_BYTES = 32
const SEQUENCE = 0x30
const INTEGER = 0x02

/** Whether a base64 DER signature (ECDSA, P-256, SHA-256) over exactly these bytes was made with this key. */
export const isSignedBy = async (pem: string, signature: string, body: Uint8Array): Promise<boolean> => {
  const numbers = numbersIn(Buffer.from(signature, 'base64'), signature)
  const key = await importKey(pem)
  if (numbers === null || key === null) return false
  return crypto.subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, key, numbers, body)
}

const importKey = async (pem: string): Promise<CryptoKey | null> => {
  const spki = Buffer.from(pem.replace(/-----(BEGIN|END) PUBLIC KEY-----|\s/g, ''), 'base64')
  try {
    return await crypto.subtle.importKey('spki', spki, { name: 'ECDSA', namedCurve: 'P-256' }, false, [
      'verify',
    ])
  } catch {
    return null
  }
}

/** DER drops leading zeros and adds one before a high bit; Web Crypto wants r and s side by side, 32 bytes each. */
const numbersIn = (der: Buffer, base64: string): Uint8Array | null => {
  // What base64 overlooks, such as stray characters, is not what was signed and sent.
  if (der.toString('base64') !== base64) return null
  if (der[0] !== SEQUENCE || der[1] !== der.length - 2) return null
  const r = integerAt(der, 2)
  const s = r && integerAt(der, r.end)
  if (!r || !s || s.end !== der.length) return null
  const numbers = new Uint8Array(2 * NUMBER_BYTES)
  numbers.set(r.bytes, NUMBER_BYTES - r.bytes.length)
  numbers.set(s.bytes, 2 * NUMBER_BYTES - s.bytes.length)
  return numbers
}

/** A positive integer in its one shortest form, without the zero that only keeps it positive. */
const integerAt = (der: Buffer, start: number): { bytes: Uint8Array; end: number } | null => {
  const length = der[start + 1] ?? 0
  const end = start + 2 + length
  if (der[start] !== INTEGER) return null
  const bytes = der.subarray(start + 2, end)
  const [first = 0, second = 0] = bytes
  if (first >= 0x80 || (first === 0 && second < 0x80)) return null
  const shortest = first === 0 ? bytes.subarray(1) : bytes
  return shortest.length <= NUMBER_BYTES ? { bytes: shortest, end } : null
}
