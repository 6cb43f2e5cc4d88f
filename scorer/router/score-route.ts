import { type Core, DEADLINE_PASSED, DRAINING } from '../core/core.ts'
import type { RequestOutcome } from '../core/metrics/scorer-metrics.ts'
import { HEADERS, type Refusal } from '../protocol.ts'
import { within } from '../within.ts'
import { readDeadline } from './deadline.ts'
import type { Handler } from './handler.ts'
import { replyJson, replyRefusal } from './reply.ts'
import { headerOf, readSigned, type SignedParts, tenantOf } from './signed.ts'

export type ScoreRouteParts = SignedParts & {
  core: Core
  now: () => number
  /** Called with the outcome of each request. */
  onRequest: (outcome: RequestOutcome) => void
}

/** `POST /score`: answers a signed request with one answer per unit, or one refusal, within the caller's deadline. */
export const scoreRoute =
  ({ core, onRequest, ...parts }: ScoreRouteParts): Handler =>
  async (request, response) => {
    const arrived = parts.now()
    const refuse = (refusal: Refusal): void => {
      onRequest(refusal.error)
      replyRefusal(response, refusal)
    }
    if (core.draining()) return refuse(DRAINING)
    const body = await readSigned('/score', request, response, parts).catch((fault: unknown) => {
      onRequest(response.closed ? 'left' : 'fault')
      throw fault
    })
    if ('error' in body) return refuse(body)
    const waitMs = readDeadline(headerOf(request, HEADERS.deadline))
    if (waitMs === null) {
      return refuse({ error: 'bad_request', message: `${HEADERS.deadline} must be a positive integer` })
    }
    const deadline = arrived + waitMs
    const gone = () => response.closed
    const scoring = core.score(body, {
      tenant: tenantOf(request),
      deadline,
      gone,
      onGone: listener => response.once('close', listener),
    })
    // At the deadline, a run that has begun is not awaited.
    const outcome = await within(scoring, deadline - parts.now(), DEADLINE_PASSED)
    if (gone()) return onRequest('left')
    if ('error' in outcome) return refuse(outcome)
    onRequest('scored')
    replyJson(response, 200, outcome)
  }
