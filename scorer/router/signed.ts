import type { IncomingMessage } from 'node:http'
import { HEADERS, MAX_SCORE_REQUEST_BYTES, type Refusal } from '../protocol.ts'
import { readBody } from './body.ts'
import { isSigned, type Keys, readClaim } from './signature.ts'

export type SignedBody = { body: Uint8Array<ArrayBuffer> } | { refused: Refusal }

/** Reads a body that must be signed. What cannot be, by its header alone, is refused unread. */
export const readSigned = async (
  request: IncomingMessage,
  keys: Keys,
  now: () => number,
): Promise<SignedBody> => {
  const claim = readClaim(headerOf(request, HEADERS.signature), keys, now())
  if (claim === null) return UNSIGNED
  const body = await readBody(request, MAX_SCORE_REQUEST_BYTES)
  if (body === null) return TOO_LARGE
  return isSigned(claim, body, keys) ? { body } : UNSIGNED
}

export const headerOf = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

const UNSIGNED: SignedBody = {
  refused: {
    error: 'bad_signature',
    message: 'the signature is missing, outdated, of an unknown key, or wrong',
  },
}
const TOO_LARGE: SignedBody = {
  refused: { error: 'too_large', message: `the body is larger than ${MAX_SCORE_REQUEST_BYTES} bytes` },
}
