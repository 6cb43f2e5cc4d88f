// The commonest refusals, each made by the code that refuses.
import { invalidKey } from '../access/bearer.ts'
import { limitsOf } from '../access/limits.ts'
import { refusalOf } from '../access/refusal.ts'
import { readCalibrationRequest } from '../calibration/request.ts'
import type { Dialect } from '../decision/dialect.ts'
import { Problem } from '../problem.ts'
import { engineTimeout } from '../scorer/scorer.ts'
import { json } from './examples.ts'

const limits = limitsOf('standard', { requestsPerSecond: null, tokensPerMinute: null })
const refused = {
  keyId: '',
  accountId: '',
  retryAfterSeconds: 1,
  rates: {
    limitRequests: limits.requestsPerSecond,
    remainingRequests: 0,
    resetRequestsSeconds: 1,
    limitTokens: limits.tokensPerMinute,
    remainingTokens: 0,
    resetTokensSeconds: 1,
  },
}

/** Of every route that needs a key and the scorer. */
export const METERED: readonly Problem[] = [
  invalidKey(),
  refusalOf({ kind: 'insufficient_credits', ...refused }),
  refusalOf({ kind: 'rate_limited', ...refused }),
  engineTimeout(),
]

/** Why a dialect does not read a body. */
export const misread = (dialect: Dialect, body: object): Problem => refusalBy(() => dialect.read(json(body)))

export const tooFewExamples = (): Problem => refusalBy(() => readCalibrationRequest(json({ examples: [] })))

const refusalBy = (attempt: () => unknown): Problem => {
  try {
    attempt()
  } catch (error) {
    if (error instanceof Problem) return error
  }
  throw new Error('an example of a refusal was not refused')
}
