import type { IncomingMessage, ServerResponse } from 'node:http'
import { HEADERS, MAX_SCORE_REQUEST_BYTES, type Refusal } from '../protocol.ts'
import { type BodyMemory, readBody } from './body.ts'
import { isOf, type Keys, readClaim } from './signature.ts'

export type SignedParts = { keys: Keys; now: () => number; bodies: (tenant: string) => BodyMemory }

/** Reads a body that must be signed. If the signature header alone is invalid, the body is refused unread. */
export const readSigned = async (
  request: IncomingMessage,
  response: ServerResponse,
  { keys, now, bodies }: SignedParts,
): Promise<Uint8Array<ArrayBuffer> | Refusal> => {
  const claim = readClaim(headerOf(request, HEADERS.signature), keys, now())
  if (claim === null) return UNSIGNED
  const memory = bodies(tenantOf(request))
  const body = await readBody(request, MAX_SCORE_REQUEST_BYTES, memory)
  if (body === 'too_large') return TOO_LARGE
  if (body === 'full') return FULL
  const size = body.byteLength
  if (response.closed) memory.give(size)
  else response.once('close', () => memory.give(size))
  return isOf(body, claim) ? body : UNSIGNED
}

/** All callers that name no tenant count as one. */
export const tenantOf = (request: IncomingMessage): string => headerOf(request, HEADERS.tenant) ?? ''

export const headerOf = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

const UNSIGNED: Refusal = {
  error: 'bad_signature',
  message: 'the signature is missing, outdated, of an unknown key, or wrong',
}
const TOO_LARGE: Refusal = {
  error: 'too_large',
  message: `the body is larger than ${MAX_SCORE_REQUEST_BYTES} bytes`,
}
const FULL: Refusal = { error: 'full', message: 'too many bodies are being read' }
