import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  HEADERS,
  MAX_SCORE_REQUEST_BYTES,
  PROTOCOL,
  type Refusal,
  type Route,
  SIGNATURE_WINDOW_MS,
} from '../protocol.ts'
import { type BodyMemory, readBody } from './body.ts'
import { type Flaw, isOf, type Keys, readClaim } from './signature.ts'

export type SignedParts = {
  keys: Keys
  timeOfDay: () => number
  bodies: (tenant: string) => BodyMemory
  onRefusedSignature: (why: Flaw) => void
}

/** Reads a body that must be signed. If the signature header alone is invalid, the body is refused unread. */
export const readSigned = async (
  route: Route,
  request: IncomingMessage,
  response: ServerResponse,
  { keys, timeOfDay, bodies, onRefusedSignature }: SignedParts,
): Promise<Uint8Array<ArrayBuffer> | Refusal> => {
  const refuse = (why: Flaw): Refusal => {
    onRefusedSignature(why)
    return refusalOf(why)
  }
  const tenant = tenantOf(request)
  const claim = readClaim(headerOf(request, HEADERS.signature), { route, tenant }, keys, timeOfDay())
  if (typeof claim === 'string') return refuse(claim)
  const memory = bodies(tenant)
  const body = await readBody(request, MAX_SCORE_REQUEST_BYTES, memory)
  if (body === 'too_large') return TOO_LARGE
  if (body === 'full') return FULL
  const size = body.byteLength
  if (response.closed) memory.give(size)
  else response.once('close', () => memory.give(size))
  return isOf(body, claim) ? body : refuse('other_body')
}

/** All callers that name no tenant count as one. */
export const tenantOf = (request: IncomingMessage): string => headerOf(request, HEADERS.tenant) ?? ''

export const headerOf = (request: IncomingMessage, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

/** A stranger is not told which ids of keys are known. */
const refusalOf = (why: Flaw): Refusal => {
  switch (why) {
    case 'wrong_version':
      return { error: why, message: `this scorer speaks ${PROTOCOL}` }
    case 'clock':
      return { error: why, message: OUT_OF_TIME }
    default:
      return { error: 'bad_signature', message: 'the signature is missing, of an unknown key, or wrong' }
  }
}
const OUT_OF_TIME = `the signature is more than ${SIGNATURE_WINDOW_MS / 1_000} seconds old or ahead: the clock of this scorer, or of whoever signed, is wrong`
const TOO_LARGE: Refusal = {
  error: 'too_large',
  message: `the body is larger than ${MAX_SCORE_REQUEST_BYTES} bytes`,
}
const FULL: Refusal = { error: 'full', message: 'too many bodies are being read' }
