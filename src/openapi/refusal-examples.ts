// The commonest refusals, each made by the code that refuses.
import { invalidKey } from '../access/bearer.ts'
import { limitsOf } from '../access/limits.ts'
import { ratesOf } from '../access/rates.ts'
import { refusalOf } from '../access/refusal.ts'
import { readCalibrationRequest } from '../calibration/request.ts'
import type { Dialect } from '../decision/dialect.ts'
import { rulesOf } from '../decision/profile-rules.ts'
import { tooLong } from '../decision/too-long.ts'
import { resolveModel } from '../models/models.ts'
import { Problem } from '../problem.ts'
import { engineTimeout } from '../scorer/scorer.ts'
import { json } from './examples.ts'

const rates = ratesOf(limitsOf('standard'), 0, 0, 1_000)
const refused = { keyId: '', accountId: '', retryAfterSeconds: 1, rates }

/** Of every route that needs a key and the scorer. */
export const METERED: readonly Problem[] = [
  invalidKey(),
  refusalOf({ kind: 'insufficient_credits', ...refused }),
  refusalOf({ kind: 'rate_limited', ...refused }),
  engineTimeout(),
]

/** Of a route that decides and does not read this body. */
export const refusedDecisions = (dialect: Dialect, body: object): readonly Problem[] => [
  ...METERED,
  unknownModel(dialect),
  refusalBy(() => dialect.read(json(body))),
  refusalBy(() => tooLong({ kind: 'state_too_long', limit: 65_536 }, [])),
  refusalBy(() => rulesOf('profile.txt', '', [{ id: '', secret: new Uint8Array() }])),
]

export const unknownModel = ({ models }: Dialect): Problem =>
  refusalBy(() => resolveModel('', { snapshots: [], aliases: {} }, models))

export const tooFewExamples = (): Problem => refusalBy(() => readCalibrationRequest(json({ examples: [] })))

/** What is thrown or returned. */
const refusalBy = (attempt: () => unknown): Problem => {
  try {
    const outcome = attempt()
    if (outcome instanceof Problem) return outcome
  } catch (error) {
    if (error instanceof Problem) return error
  }
  throw new Error('an example of a refusal was not refused')
}
