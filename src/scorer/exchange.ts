import type { ScorerFault } from '../fault.ts'
import { bytesOf } from '../http/bytes.ts'
import { inTime } from '../in-time.ts'
import { faultOf, MAX_REFUSAL_BYTES } from './refusal.ts'

export class ScorerFailure extends Error {
  readonly fault: ScorerFault
  constructor(fault: ScorerFault) {
    super(fault)
    this.name = 'ScorerFailure'
    this.fault = fault
  }
}

type Limits = { deadlineMs: number; maxBytes: number }

/** The whole body of a 200, within the deadline and the cap; anything else is a ScorerFailure. */
export const exchange = async (url: string, init: RequestInit, limits: Limits): Promise<Uint8Array> => {
  const abort = new AbortController()
  try {
    const request = { ...init, redirect: 'manual', signal: abort.signal } as const
    // On its own, an abort signal ends only the wait for the headers; a dripping body outlives it.
    const answer = answerTo(url, request, limits.maxBytes)
    return await inTime(answer, limits.deadlineMs, () => new ScorerFailure('late'))
  } catch (error) {
    // Nobody waits for what is still to come: a late answer, or the rest of one that is too large.
    abort.abort()
    throw error instanceof ScorerFailure ? error : new ScorerFailure('unreachable')
  }
}

const answerTo = async (url: string, request: RequestInit, maxBytes: number): Promise<Uint8Array> => {
  const response = await fetch(url, request)
  if (response.status !== 200) throw new ScorerFailure(await whyRefused(response))
  const bytes = await bytesOf(response, maxBytes)
  if (bytes === null) throw new ScorerFailure('too_large')
  return bytes
}

/** A refusal that is too large or ends early is still a refusal. */
const whyRefused = async (response: Response): Promise<ScorerFault> => {
  const body = await bytesOf(response, MAX_REFUSAL_BYTES).catch(() => null)
  return body === null ? 'refused' : faultOf(response.status, body)
}
