import { createPrivateKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isSignedBy } from './signature.ts'

// The example that GitHub publishes; its s has 31 bytes.
// https://docs.github.com/en/code-security/secret-scanning/secret-scanning-partner-program
const SAMPLE = {
  pem: `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEYAGMWO8XgCamYKMJS6jc/qgvSlAd
AjPuDPRcXU22YxgBrz+zoN19MzuRyW87qEt9/AmtoNP5GrobzUvQSyJFVw==
-----END PUBLIC KEY-----
`,
  signature:
    'MEQCIQDaMKqrGnE27S0kgMrEK0eYBmyG0LeZismAEz/BgZyt7AIfXt9fErtRS4XaeSt/AO1RtBY66YcAdjxji410VQV4xg==',
  body: '[{"source":"commit","token":"some_token","type":"some_type","url":"https://example.com/base-repo-url/"}]',
}

const bytes = (text: string) => new TextEncoder().encode(text)

const newKey = (namedCurve = 'P-256') => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', {
    namedCurve,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  })
  return {
    pem: publicKey,
    sign: (body: Uint8Array, digest = 'sha256') =>
      sign(digest, body, { key: createPrivateKey(privateKey), dsaEncoding: 'der' }),
  }
}

const der = (tag: number, ...content: number[]) => Buffer.from([tag, content.length, ...content])

/** A signature one of whose numbers begins with this byte. */
const signedWith = (key: ReturnType<typeof newKey>, which: 'r' | 's', first: number) => {
  for (let i = 0; ; i++) {
    const body = bytes(`body ${i}`)
    const signature = key.sign(body)
    const r = signature.subarray(4, 4 + (signature[3] ?? 0))
    const numbers = { r: significant(r), s: significant(signature.subarray(4 + r.length + 2)) }
    if (numbers[which][0] === first) return { body, numbers }
  }
}

const significant = (number: Uint8Array) => [...number].slice(number.findIndex(byte => byte !== 0))

/** A number with none, one and two zeros before it, and no number at all. */
const forms = (number: number[]) => [number, [0, ...number], [0, 0, ...number], []]

describe('a signature', () => {
  it('of the published sample holds', async () => {
    expect(await isSignedBy(SAMPLE.pem, SAMPLE.signature, bytes(SAMPLE.body))).toBe(true)
  })

  it('holds whatever length its numbers happen to have', async () => {
    const key = newKey()
    const lengths = new Set<string>()
    for (let i = 0; !(lengths.has('r31') && lengths.has('s31')) && i < 20_000; i++) {
      const der = key.sign(bytes(`body ${i}`))
      const rLength = der[3] ?? 0
      const sLength = der[5 + rLength] ?? 0
      if (rLength <= 31) lengths.add('r31')
      if (sLength <= 31) lengths.add('s31')
      if (rLength <= 31 || sLength <= 31 || i < 20) {
        expect(await isSignedBy(key.pem, der.toString('base64'), bytes(`body ${i}`))).toBe(true)
      }
    }
    expect([...lengths].sort()).toEqual(['r31', 's31'])
  })

  it('holds where OpenSSL holds it, in whatever other form its numbers are written', async () => {
    const key = newKey()
    // A first byte of 0x80 is the least that DER puts a zero before.
    for (const first of [0x01, 0x7f, 0x80, 0xff]) {
      for (const which of ['r', 's'] as const) {
        const { body, numbers } = signedWith(key, which, first)
        for (const r of forms(numbers.r)) {
          for (const s of forms(numbers.s)) {
            for (const after of [[], [0], [2, 1, 1]]) {
              const signature = der(0x30, ...der(2, ...r), ...der(2, ...s), ...after)
              const valid = verify('sha256', body, key.pem, signature)
              expect(await isSignedBy(key.pem, signature.toString('base64'), body)).toBe(valid)
            }
          }
        }
      }
    }
  })

  it('breaks with every single bit of it that changes', async () => {
    const der = Buffer.from(SAMPLE.signature, 'base64')
    for (let bit = 0; bit < der.length * 8; bit++) {
      const mutant = Buffer.from(der)
      mutant[bit >> 3] = (mutant[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(await isSignedBy(SAMPLE.pem, mutant.toString('base64'), bytes(SAMPLE.body))).toBe(false)
    }
  })

  it('breaks with every byte of the body that changes, goes or comes', async () => {
    const body = bytes(SAMPLE.body)
    for (let at = 0; at < body.length; at++) {
      const changed = body.with(at, (body[at] ?? 0) ^ 1)
      const shorter = Uint8Array.from([...body.slice(0, at), ...body.slice(at + 1)])
      expect(await isSignedBy(SAMPLE.pem, SAMPLE.signature, changed)).toBe(false)
      expect(await isSignedBy(SAMPLE.pem, SAMPLE.signature, shorter)).toBe(false)
    }
    expect(await isSignedBy(SAMPLE.pem, SAMPLE.signature, bytes(`${SAMPLE.body}\n`))).toBe(false)
  })

  it.each([
    ['cut short', SAMPLE.signature.slice(0, -8)],
    ['followed by more', `${SAMPLE.signature}AAAA`],
    ['with a blank', ` ${SAMPLE.signature}`],
    ['empty', ''],
    ['in hex', Buffer.from(SAMPLE.signature, 'base64').toString('hex')],
  ])('that is %s does not hold', async (_, signature) => {
    expect(await isSignedBy(SAMPLE.pem, signature, bytes(SAMPLE.body))).toBe(false)
  })

  it('of another key, another digest or another curve does not hold', async () => {
    const [one, other, wide] = [newKey(), newKey(), newKey('P-384')]
    const body = bytes('[]')
    expect(await isSignedBy(one.pem, other.sign(body).toString('base64'), body)).toBe(false)
    expect(await isSignedBy(one.pem, one.sign(body, 'sha384').toString('base64'), body)).toBe(false)
    expect(await isSignedBy(wide.pem, wide.sign(body).toString('base64'), body)).toBe(false)
  })

  it('does not hold under a key that is none', async () => {
    expect(await isSignedBy('', SAMPLE.signature, bytes(SAMPLE.body))).toBe(false)
  })
})
