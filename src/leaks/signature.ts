import { createPublicKey, verify } from 'node:crypto'

/** Whether a base64 DER signature (ECDSA, P-256, SHA-256) over exactly these bytes was made with this key. */
export const isSignedBy = (pem: string, signature: string, body: Uint8Array): boolean => {
  const der = Buffer.from(signature, 'base64')
  // What base64 overlooks, such as stray characters, is not what was signed and sent.
  if (der.toString('base64') !== signature) return false
  try {
    const key = createPublicKey(pem)
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' && verify('sha256', body, key, der)
  } catch {
    return false
  }
}
