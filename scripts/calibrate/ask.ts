import { setTimeout as pauseFor } from 'node:timers/promises'
import * as v from 'valibot'
import { TOKEN_WINDOW_MS } from '../../src/access/limiter.ts'
import { AnswerMetadata, DecisionAnswer, Usage } from '../../src/decision/decision.ts'
import { noAnswer, referral } from '../service-url.ts'
import { readAnswer } from './answer.ts'
import type { CheckOptions } from './options.ts'
import type { Progress } from './progress.ts'
import { explain } from './refusal.ts'

/** What a check needs of a decision. Options are looked up by name, so their order does not matter here. */
const Decision = v.object({
  ...v.pick(DecisionAnswer, ['object', 'model']).entries,
  answers: v.record(
    v.string(),
    v.object({ logits: v.record(v.string(), v.number()), decider: v.pick(AnswerMetadata, ['abstain']) }),
  ),
  usage: v.pick(Usage, ['input_tokens', 'cost_usd']),
})
export type Decision = v.InferOutput<typeof Decision>

/** The body of a request, and the line of the file it was made from. */
type Case = { body: string; line: number }

type Service = Pick<CheckOptions, 'url' | 'key'>
type Pause = (ms: number, signal: AbortSignal) => Promise<void>

/** Fewer than the five requests a second of a playground key: whoever waits for the next second finds room in it. */
const AT_ONCE = 4
const TRIES = 10
const TIMEOUT_MS = 30_000
/** 502 and 504 are of a proxy on the way. */
const FOR_NOW: ReadonlySet<number> = new Set([429, 502, 503, 504])
/** What refuses an example for what it holds. The others are about the key, the balance, the profile or the model. */
const ABOUT_EXAMPLE: ReadonlySet<number> = new Set([413, 422])

/**
 * The decision on each case, in their order. What is refused only for now is asked again when the service says, and
 * what is lost on the way a second later, so that no passing fault costs the decisions already paid for. Any other
 * refusal, and a connection that breaks before the first decision, ends everything with an error.
 */
export const decideAll = async (
  service: Service,
  cases: readonly Case[],
  progress: Pick<Progress, 'asked'>,
  pause: Pause = (ms, signal) => pauseFor(ms, undefined, { signal }),
): Promise<Decision[]> => {
  const decisions: Decision[] = []
  const failed = new AbortController()
  const waiting = cases.entries()
  let decided = 0
  const lane = async (): Promise<void> => {
    for (const [index, one] of waiting) {
      decisions[index] = await decide(service, one, failed.signal, pause, () => decided > 0)
      progress.asked(++decided / cases.length)
    }
  }
  progress.asked(0)
  await Promise.all(Array.from({ length: AT_ONCE }, lane)).finally(() => failed.abort())
  return decisions
}

const decide = async (
  service: Service,
  { body, line }: Case,
  signal: AbortSignal,
  pause: Pause,
  hasAnswered: () => boolean,
): Promise<Decision> => {
  for (let tries = 1; ; tries++) {
    const response = await post(service, body, signal).catch((error: unknown) => {
      if (!hasAnswered() || tries === TRIES) throw error
    })
    if (response !== undefined) {
      const outcome = readAnswer(response, Decision)
      if (outcome.kind === 'answered') return outcome.answer
      if (!FOR_NOW.has(outcome.status) || tries === TRIES)
        throw new Error(explain(outcome, ABOUT_EXAMPLE.has(outcome.status) ? line : undefined))
    }
    // The service never asks for more than this window. A proxy may ask for an hour, which would look like a hang.
    await pause(Math.min(1_000 * (response?.retryAfterSeconds ?? 1), TOKEN_WINDOW_MS), signal)
  }
}

const post = async ({ url, key }: Service, body: string, signal: AbortSignal) => {
  try {
    const response = await fetch(`${url}/v1/decisions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      redirect: 'manual',
    })
    return {
      referred: referral(new URL(url), response.status, response.headers.get('location')),
      status: response.status,
      retryAfterSeconds: Number(response.headers.get('retry-after')) || 1,
      text: await response.text(),
    }
  } catch (error) {
    const { message } = Object(error instanceof Error ? (error.cause ?? error) : error)
    throw new Error(noAnswer(new URL(url), message))
  }
}
