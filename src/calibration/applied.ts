import type { Calibration } from '../decision/answers.ts'
import type { Question } from '../decision/decision.ts'
import { Problem } from '../problem.ts'
import { openProfile } from './profile.ts'
import type { ProfileKeys } from './profile-keys.ts'
import { signatureOf } from './signature.ts'

/** What a profile says of a question; null for one it was not fitted on. */
export type Rules = (question: Question) => Calibration | null

const NONE: Rules = () => null

/** The rules in a token that came with a request, or none without one. Throws where it cannot be used here. */
export const rulesIn = (token: string | null, snapshot: string, keys: ProfileKeys): Rules => {
  if (token === null) return NONE
  const profile = openProfile(token, keys)
  if (profile === null) {
    throw new Problem(
      'invalid_calibration_profile',
      'calibration is not a profile of this service, was altered, or was signed with a retired key',
      { param: 'calibration' },
    )
  }
  if (profile.snapshot !== snapshot) {
    throw new Problem(
      'profile_model_mismatch',
      `calibration was fitted on another snapshot than ${snapshot}, which serves this request`,
    )
  }
  return question => profile.rules.get(signatureOf(question)) ?? null
}
