import { Problem } from '../problem.ts'
import { openProfile, type Rule } from '../profiles/profile.ts'
import type { ProfileKeys } from '../profiles/profile-keys.ts'
import { Misfit } from './misfit.ts'
import type { Question } from './question.ts'
import { signatureOf } from './question-signature.ts'

/** What a profile says about each question; null for one it was not fitted on. */
export type Rules = (question: Question) => Rule | null

/** The rules of a profile, or its 400 or 409. */
export const rulesOf = (token: string | null, snapshot: string, keys: ProfileKeys): Rules | Problem => {
  if (token === null) return () => null
  const profile = openProfile(token, keys)
  if (typeof profile === 'string') {
    return new Misfit(['calibration'], REPAIRS[profile], 'invalid_calibration_profile')
  }
  if (profile.snapshot !== snapshot) {
    return new Problem(
      'profile_model_mismatch',
      `The profile was fitted on ${profile.snapshot}, but ${snapshot} serves this request. Name the snapshot of the profile as \`model\`.`,
    )
  }
  return question => profile.rules.get(signatureOf(question)) ?? null
}

const REPAIRS = {
  no_token: 'is not a profile token, calp1.<kid>.<blob>; look for a line end or quotation marks around it',
  unknown_key: 'is signed with a key that this service no longer accepts; fit the profile again',
  // The keys of two services may have the same id: those made by one command on the same day, or for development.
  altered:
    'was altered or cut short, or comes from another service; send the whole token, exactly as it was returned, or fit the profile again here',
}
