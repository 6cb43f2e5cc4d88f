import { generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { isSignedBy } from './signature.ts'

// The example that GitHub publishes; the s of its signature has 31 bytes.
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
      sign(digest, body, { key: privateKey, dsaEncoding: 'der' }),
  }
}

describe('a signature', () => {
  it('of the published sample is valid', () => {
    expect(isSignedBy(SAMPLE.pem, SAMPLE.signature, bytes(SAMPLE.body))).toBe(true)
  })

  it('becomes invalid if any single bit of it changes', () => {
    const der = Buffer.from(SAMPLE.signature, 'base64')
    for (let bit = 0; bit < der.length * 8; bit++) {
      const mutant = Buffer.from(der)
      mutant[bit >> 3] = (mutant[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(isSignedBy(SAMPLE.pem, mutant.toString('base64'), bytes(SAMPLE.body))).toBe(false)
    }
  })

  it('becomes invalid if any byte of the body is changed, removed or added', () => {
    const body = bytes(SAMPLE.body)
    for (let at = 0; at < body.length; at++) {
      const changed = body.with(at, (body[at] ?? 0) ^ 1)
      const shorter = Uint8Array.from([...body.slice(0, at), ...body.slice(at + 1)])
      expect(isSignedBy(SAMPLE.pem, SAMPLE.signature, changed)).toBe(false)
      expect(isSignedBy(SAMPLE.pem, SAMPLE.signature, shorter)).toBe(false)
    }
    expect(isSignedBy(SAMPLE.pem, SAMPLE.signature, bytes(`${SAMPLE.body}\n`))).toBe(false)
  })

  it.each([
    ['cut short', SAMPLE.signature.slice(0, -8)],
    ['followed by more', `${SAMPLE.signature}AAAA`],
    ['preceded by a space', ` ${SAMPLE.signature}`],
    ['empty', ''],
    ['in hex', Buffer.from(SAMPLE.signature, 'base64').toString('hex')],
  ])('that is %s is invalid', (_, signature) => {
    expect(isSignedBy(SAMPLE.pem, signature, bytes(SAMPLE.body))).toBe(false)
  })

  it('of another key, another digest or another curve is invalid', () => {
    const [one, other, wide] = [newKey(), newKey(), newKey('P-384')]
    const body = bytes('[]')
    expect(isSignedBy(one.pem, other.sign(body).toString('base64'), body)).toBe(false)
    expect(isSignedBy(one.pem, one.sign(body, 'sha384').toString('base64'), body)).toBe(false)
    expect(isSignedBy(wide.pem, wide.sign(body).toString('base64'), body)).toBe(false)
  })

  it('is invalid under something that is not a key', () => {
    expect(isSignedBy('', SAMPLE.signature, bytes(SAMPLE.body))).toBe(false)
  })
})
