const HMAC_SHA256 = { name: 'HMAC', hash: 'SHA-256' }

export type Mac = (message: Uint8Array) => Promise<Buffer>

/** HMAC-SHA256 under one secret, which is imported once. */
export const macUnder = (secret: Uint8Array): Mac => {
  let key: CryptoKey | undefined
  return async message => {
    key ??= await crypto.subtle.importKey('raw', secret, HMAC_SHA256, false, ['sign'])
    return Buffer.from(await crypto.subtle.sign('HMAC', key, message))
  }
}
