import { createPublicKey, verify } from 'node:crypto'

/** Whether this key made the base64 DER signature (ECDSA, P-256, SHA-256) over exactly these bytes. */
export const isSignedBy = (pem: string, signature: string, body: Uint8Array): boolean => {
  const der = Buffer.from(signature, 'base64')
  // The decoder overlooks stray characters and the like, but those are not what was signed and sent.
  if (der.toString('base64') !== signature) return false
  try {
    const key = createPublicKey(pem)
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' && verify('sha256', body, key, der)
  } catch {
    return false
  }
}
