// The public API as any client sees it, from the page's own origin.
import { isObject, type JsonObject } from '../../../src/json/json.ts'
import { readJson } from '../../../src/json/reader.ts'
import { objectIn, textIn } from './fields.ts'
import { heard } from './refused-key.ts'

export type Refusal = {
  status: number
  code: string
  message: string
  param: string | null
  requestId: string | null
}

/** What the response headers say, whatever the body. */
export type Envelope = {
  requestId: string | null
  rates: Rates | null
  retryAfterSeconds: number | null
  roundTripMs: number
}

/** What is left in the key's rate-limit buckets. */
export type Rates = { requests: number; tokens: number }

export type Reply = { kind: 'ok'; body: JsonObject; text: string; envelope: Envelope } | Failed

/** Nothing was read. */
export type Failed =
  | { kind: 'refused'; refusal: Refusal; envelope: Envelope }
  | { kind: 'unreachable' }
  | { kind: 'aborted' }

export type Call = {
  path: string
  key: string
  body?: string
  signal?: AbortSignal
}

/** One request and its reply. It does not retry: the caller sees what the service says. */
export const call = async ({ path, key, body, signal }: Call): Promise<Reply> => {
  const started = performance.now()
  try {
    const response = await fetch(path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
      cache: 'no-store',
      credentials: 'omit',
    })
    const text = await response.text()
    const header = (name: string) => response.headers.get(name)
    return heard(replyOf(response.status, header, text, performance.now() - started), key)
  } catch {
    return { kind: signal?.aborted === true ? 'aborted' : 'unreachable' }
  }
}

/** What a response says under a header's name. */
type Header = (name: string) => string | null

export const replyOf = (status: number, header: Header, text: string, roundTripMs: number): Reply => {
  const envelope = envelopeOf(header, roundTripMs)
  const reading = readJson(text)
  const body = reading.kind === 'read' && isObject(reading.value) ? reading.value : null
  if (status >= 200 && status < 300 && body !== null) return { kind: 'ok', body, text, envelope }
  return { kind: 'refused', refusal: refusalOf(status, body, envelope.requestId), envelope }
}

/** What a reply refuses; one without the API's own words is told by its status. */
export const refusalOf = (status: number, body: JsonObject | null, requestId: string | null): Refusal => {
  const error = body === null ? new Map() : objectIn(body, 'error')
  return {
    status,
    code: textIn(error, 'code') || `http_${status}`,
    message: textIn(error, 'message') || `The service answered with status ${status}.`,
    param: textIn(error, 'param') || null,
    requestId,
  }
}

const envelopeOf = (header: Header, roundTripMs: number): Envelope => {
  const number = (name: string): number | null => {
    const text = header(name)
    return text === null || text === '' ? null : Number(text)
  }
  const requests = number('x-ratelimit-remaining-requests')
  const tokens = number('x-ratelimit-remaining-tokens')
  return {
    requestId: header('decider-request-id'),
    rates: requests === null || tokens === null ? null : { requests, tokens },
    retryAfterSeconds: number('retry-after'),
    roundTripMs,
  }
}
