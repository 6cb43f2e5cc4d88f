import { routePath } from 'hono/route'
import { REGION } from '../../scorer/protocol.ts'
import { TOKEN_WINDOW_MS } from '../access/limiter.ts'
import { limitsOf } from '../access/limits.ts'
import { ratesOf } from '../access/rates.ts'
import { writeLine } from '../activity/line.ts'
import { native } from '../dialects/native.ts'
import { newId } from '../ids.ts'
import type { Services } from '../services.ts'
import { servedRoute } from './served-route.ts'
import { factory, liveOnFor, type Visit } from './visit.ts'

export type Basics = Pick<Services, 'now' | 'randomBytes'>

/** Opens the visit, and closes it with the headers of every response and the row of activity. */
export const everyResponse = ({ now, randomBytes }: Basics) =>
  factory.createMiddleware(async (c, next) => {
    const visit = newVisit(newId('req', randomBytes), now())
    c.set('visit', visit)
    c.set('dialect', native)
    await next()
    writeHeaders(c.res.headers, visit)
    const path = visit.route ?? servedRoute(c)?.path ?? routePath(c, -1)
    const entry = activityOf(visit, c.res.status, path, now())
    // There are none for the doctor or under a broken configuration; such an answer belongs to no account.
    const services: Services | undefined = c.get('services')
    if (services === undefined) writeLine(entry)
    else liveOnFor(c, services.activity.record(entry))
  })

/** A visit of which nothing is known yet. */
export const newVisit = (requestId: string, arrivedAt: number): Visit => ({
  requestId,
  arrivedAt,
  route: null,
  rates: UNTOUCHED,
  keyId: null,
  accountId: null,
  model: null,
  questionCount: 0,
  inputTokens: 0,
  cachedTokens: 0,
  errorCode: null,
})

/** What a request without a key is told: the standard limits, with nothing used. */
const STANDARD = limitsOf('standard')
const UNTOUCHED = ratesOf(STANDARD, STANDARD.burst, STANDARD.tokensPerMinute, TOKEN_WINDOW_MS)

const writeHeaders = (headers: Headers, { requestId, rates }: Visit): void => {
  headers.set('decider-request-id', requestId)
  // TypeSafe's and OpenAI's SDKs look for it under these names.
  headers.set('x-typesafe-request-id', requestId)
  headers.set('x-request-id', requestId)
  headers.set('decider-region', REGION)
  headers.set('decider-data-retention', 'none')
  headers.set('cache-control', 'no-store')
  headers.set('x-ratelimit-limit-requests', String(rates.limitRequests))
  headers.set('x-ratelimit-remaining-requests', String(rates.remainingRequests))
  headers.set('x-ratelimit-reset-requests', String(rates.resetRequestsSeconds))
  headers.set('x-ratelimit-limit-tokens', String(rates.limitTokens))
  headers.set('x-ratelimit-remaining-tokens', String(rates.remainingTokens))
  headers.set('x-ratelimit-reset-tokens', String(rates.resetTokensSeconds))
}

const activityOf = (visit: Visit, status: number, path: string, now: number) => ({
  requestId: visit.requestId,
  keyId: visit.keyId,
  accountId: visit.accountId,
  path,
  status,
  errorCode: visit.errorCode,
  latencyMs: Math.max(0, now - visit.arrivedAt),
  model: visit.model,
  region: REGION,
  inputTokens: visit.inputTokens,
  cachedTokens: visit.cachedTokens,
  questionCount: visit.questionCount,
  at: visit.arrivedAt,
})
