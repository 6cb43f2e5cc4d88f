// Asking: when, with what, and with what result.
import { batch, computed, effect, signal } from '@preact/signals'
import { isObject, type JsonObject } from '../../../src/json/json.ts'
import { readJson } from '../../../src/json/reader.ts'
import { type Call, call, type Envelope, type Refusal, type Reply } from '../service/client.ts'
import { type Decision, decisionOf } from '../service/decision.ts'
import { isBoundToKey } from '../service/refused-key.ts'
import { key } from '../shell/session.ts'
import { bytes } from '../ui/format.ts'
import * as desk from './desk.ts'
import { type Mistake, missingIn, type Written, writeRequest } from './request.ts'

export type Answered = {
  decision: Decision
  text: string
  envelope: Envelope
  /** The questions that were answered, by id; none if they were sent as a list. */
  questions: JsonObject
  /** The desk's revision that this answers. */
  revision: string
}

/** Why there is no new answer. */
export type Trouble =
  | Mistake
  | ({ kind: 'refused'; revision: string } & Refusal)
  | { kind: 'no key' }
  | { kind: 'unreachable' }

/** Server latency for the state on the desk, when first read and when cached. */
type Latency = { cold: number | null; cached: number | null }

export const answered = signal<Answered | null>(null)
export const trouble = signal<Trouble | null>(null)
export const running = signal(false)
export const live = signal(true)
export const latency = signal<Latency>({ cold: null, cached: null })
/** True while the answer on the page belongs to an earlier version of the desk. */
export const stale = computed(
  () => answered.value !== null && answered.value.revision !== desk.revision.value,
)

/** True while the refusal on the page is of an earlier version of the desk. */
export const refusedEarlier = computed(
  () => trouble.value?.kind === 'refused' && trouble.value.revision !== desk.revision.value,
)

const PAUSE_MS = 350
/** Longer than between two keys. Still an end, because phones and Korean leave the last word composing. */
const COMPOSING_PAUSE_MS = 1_500
/** Larger requests wait for the Run button: each one costs real money and time. */
const LIVE_BYTES_MAX = 100_000

/** True while an input method composes a word, which may be half of one. */
const composing = signal(false)
const followComposition = ({ type }: Event): void => {
  composing.value = type === 'compositionstart'
}

const held = signal<string | null>(null)
/** Why the request waits for the Run button; null if it is sent automatically. */
export const heldBack = computed(() => (live.value && key.value !== null ? held.value : null))

let flight: AbortController | null = null
let stateAsked: string | null = null
/** What was last asked, and with which key. It is not asked again automatically, even on returning to the page. */
let seen = ''
const inSight = (): string => `${desk.revision.value} ${key.value?.value ?? ''}`

// What was said of one key is not true of the next, and a forgotten key asks nothing more.
key.subscribe(() => {
  flight?.abort()
  running.value = false
  const why = trouble.peek()
  if (why?.kind === 'no key' || (why?.kind === 'refused' && isBoundToKey(why))) trouble.value = null
})

/** Asks. Unbidden, it does so only if the request is complete and small. */
export const run = async ({ unbidden = false } = {}): Promise<void> => {
  seen = inSight()
  const asked = desk.asked()
  const written = writeRequest(asked)
  held.value = unbidden ? (missingIn(asked) ?? tooLarge(written)) : null
  if (written.kind === 'mistake' && held.value === null) return fail(written)
  // A request held back gets no answer that would clear the message of an earlier mistake.
  if (trouble.peek()?.kind === 'mistake') trouble.value = null
  if (written.kind === 'mistake' || held.value !== null) return
  if (key.value === null) return fail({ kind: 'no key' })
  flight?.abort()
  const mine = new AbortController()
  flight = mine
  const revision = desk.revision.peek()
  running.value = true
  const reply = await ask({
    path: '/v1/decisions',
    key: key.value.value,
    body: written.body,
    signal: mine.signal,
  })
  if (reply.kind === 'aborted') return
  batch(() => {
    running.value = false
    if (reply.kind === 'ok') accept(reply, { ...written, revision, profiled: asked.calibration !== '' })
    else if (reply.kind === 'unreachable') trouble.value = { kind: 'unreachable' }
    else trouble.value = { kind: 'refused', ...reply.refusal, revision }
  })
}

const tooLarge = (written: Written): string | null => {
  if (written.kind !== 'written') return null
  const { size } = new Blob([written.body])
  return size > LIVE_BYTES_MAX ? bytes(size) : null
}

/** A playground key allows few requests a second: someone who types fast waits a moment instead of seeing 429. */
const ask = async (request: Call & { signal: AbortSignal }): Promise<Reply> => {
  const reply = await call(request)
  const wait =
    reply.kind === 'refused' && reply.refusal.status === 429 ? reply.envelope.retryAfterSeconds : null
  if (!live.peek() || wait === null || wait > 5) return reply
  await new Promise(resolve => setTimeout(resolve, wait * 1000))
  return call(request)
}

type Sent = { state: string; questions: string; revision: string; profiled: boolean }

const accept = (reply: Reply & { kind: 'ok' }, { state, questions, revision, profiled }: Sent): void => {
  const decision = decisionOf(reply.body, profiled)
  const read = readJson(questions)
  answered.value = {
    decision,
    text: reply.text,
    envelope: reply.envelope,
    questions: read.kind === 'read' && isObject(read.value) ? read.value : new Map(),
    revision,
  }
  trouble.value = null
  const known: Latency = state === stateAsked ? latency.peek() : { cold: null, cached: null }
  stateAsked = state
  latency.value =
    decision.tokens.cached > 0
      ? { ...known, cached: decision.latencyMs }
      : { ...known, cold: decision.latencyMs }
}

const fail = (why: Trouble): void => {
  flight?.abort()
  batch(() => {
    running.value = false
    trouble.value = why
  })
}

/** A mistake is that of the last run. Where no other follows by itself, it goes once it is mended. */
const recheckMistake = (): void => {
  if (trouble.peek()?.kind !== 'mistake') return
  const written = writeRequest(desk.asked())
  trouble.value = written.kind === 'mistake' ? written : null
}

/** Runs once at the start, and after every pause in typing while the desk is live. */
export const startRunning = (): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  addEventListener('compositionstart', followComposition)
  addEventListener('compositionend', followComposition)
  const stop = effect(() => {
    clearTimeout(timer)
    const now = inSight()
    const pauseMs = composing.value ? COMPOSING_PAUSE_MS : PAUSE_MS
    if (now === seen) return
    if (!live.value || key.value === null) {
      timer = setTimeout(recheckMistake, pauseMs)
      return
    }
    const first = seen === ''
    // Someone who pressed Run during the pause has asked it already.
    timer = setTimeout(() => now !== seen && void run({ unbidden: true }), first ? 0 : pauseMs)
  })
  return () => {
    clearTimeout(timer)
    removeEventListener('compositionstart', followComposition)
    removeEventListener('compositionend', followComposition)
    stop()
  }
}
