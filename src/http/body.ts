import { readJson } from '../json/reader.ts'
import { Problem } from '../problem.ts'
import { MAX_BODY_BYTES } from './body-limit.ts'
import { arriving, declaredBytes } from './bytes.ts'
import type { Document } from './document.ts'
import { unpackedBytes, unzstd } from './zstd.ts'

/** A body as it was read, or why it will be refused once its sender is known to be admitted. */
type Body = { kind: 'read'; bytes: Uint8Array } | { kind: 'refused'; problem: Problem }

/**
 * Reads until the end, the cap or the time limit, counting what arrives, whatever length was declared. Never throws.
 * A large body must not take memory from other requests, not even while it waits to be refused. So it is kept or
 * unpacked only once `admit` has admitted the most tokens it may hold.
 */
export const readBody = async (
  request: Request,
  encodings: readonly 'zstd'[],
  admit: (tokens: number) => Promise<unknown>,
): Promise<Body> => {
  try {
    const encoding = encodingOf(request.headers, encodings)
    const bytes = await arriving(request, MAX_BODY_BYTES, () => admit(MAX_BODY_BYTES))
    // SDKs send images this way; otherwise the refusal would only say that the bytes are not UTF-8.
    if (isMultipart(request.headers))
      throw unreadable('it is multipart, and this service reads no images or files')
    if (encoding === 'identity') return { kind: 'read', bytes }
    await admit(Math.min(unpackedBytes(bytes) ?? MAX_BODY_BYTES, MAX_BODY_BYTES))
    return { kind: 'read', bytes: unzstd(bytes, MAX_BODY_BYTES) }
  } catch (error) {
    // Of an admission that failed, its sender hears by itself.
    return { kind: 'refused', problem: error instanceof Problem ? error : unreadable('it was not admitted') }
  }
}

/** The JSON in a body of at most `maxNodes` keys and values. Throws what made the body unreadable. */
export const documentIn = (body: Body, maxNodes: number): Document => {
  if (body.kind === 'refused') throw body.problem
  if (body.bytes.byteLength === 0) throw unreadable('it is empty')
  const reading = readJson(decoded(body.bytes), maxNodes)
  if (reading.kind === 'read') return { json: reading.value, overfull: null }
  const { rule, at, soFar } = reading
  if (soFar === undefined) throw unreadable(`${rule}, at character ${at + 1}`)
  return { json: soFar, overfull: new Problem('invalid_schema', `body ${rule}`, { param: 'body' }) }
}

/**
 * The most tokens a body is taken to hold: a token stands for at least one byte of it, and the markers around a question
 * or an option for the JSON around them. (Characters that the tokenizer takes apart, such as Korean ones, and options
 * scored in both orders can exceed it; settling then counts them.) Null if the length is not known before the body is
 * read.
 */
export const tokensDeclared = (headers: Headers): number | null => {
  const declared = declaredBytes(headers)
  return declared !== null && declared > MAX_BODY_BYTES ? 0 : declared
}

export const tokensAtMost = (body: Body): number => (body.kind === 'read' ? body.bytes.byteLength : 0)

/** The encoding, if it is a known one. Throws the 415 otherwise. */
export const encodingOf = (headers: Headers, known: readonly 'zstd'[]): 'zstd' | 'identity' => {
  const sent = headers.get('content-encoding')?.toLowerCase() || 'identity'
  const encoding = [...known, 'identity' as const].find(candidate => candidate === sent)
  if (encoding !== undefined) return encoding
  const names = ['identity', ...known].join(' or ')
  throw new Problem('unsupported_encoding', `Content-Encoding must be ${names}, or left out.`)
}

const isMultipart = (headers: Headers): boolean => /^multipart\//i.test(headers.get('content-type') ?? '')

/** Drops the byte order mark that some editors put at the start of a text, as RFC 8259 allows. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

const decoded = (bytes: Uint8Array): string => {
  try {
    return UTF8.decode(bytes)
  } catch {
    throw unreadable('it is not UTF-8')
  }
}

const unreadable = (why: string): Problem =>
  new Problem('invalid_schema', `body cannot be read as JSON: ${why}`, { param: 'body' })
