import type { ScorerFault } from './scorer.ts'

export class ScorerFailure extends Error {
  readonly fault: ScorerFault
  constructor(fault: ScorerFault) {
    super(fault)
    this.name = 'ScorerFailure'
    this.fault = fault
  }
}

type Limits = { deadlineMs: number; maxBytes: number }

/** The body of a 200, whole, within the deadline and the cap; anything else is a ScorerFailure. */
export const exchange = async (url: string, init: RequestInit, limits: Limits): Promise<Uint8Array> => {
  const abort = new AbortController()
  const { promise: late, reject } = Promise.withResolvers<never>()
  // A signal alone ends the wait for the headers; a body that drips outlives it.
  const timer = setTimeout(() => {
    reject(new ScorerFailure('late'))
    abort.abort()
  }, limits.deadlineMs)
  try {
    const request = { ...init, redirect: 'manual', signal: abort.signal } as const
    return await Promise.race([
      bodyOf(await Promise.race([fetch(url, request), late]), limits.maxBytes),
      late,
    ])
  } catch (error) {
    throw error instanceof ScorerFailure ? error : new ScorerFailure('unreachable')
  } finally {
    clearTimeout(timer)
  }
}

const bodyOf = async (response: Response, maxBytes: number): Promise<Uint8Array> => {
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel()
    throw new ScorerFailure('refused')
  }
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop early cancels the stream.
  for await (const chunk of response.body) {
    bytes += chunk.byteLength
    if (bytes > maxBytes) throw new ScorerFailure('too_large')
    chunks.push(chunk)
  }
  return joined(chunks, bytes)
}

const joined = (chunks: readonly Uint8Array[], bytes: number): Uint8Array => {
  const [first] = chunks
  if (first !== undefined && chunks.length === 1) return first
  const whole = new Uint8Array(bytes)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.byteLength
  }
  return whole
}
