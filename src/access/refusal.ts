import { Problem } from '../problem.ts'
import type { Refused } from './admission.ts'
import { invalidKey } from './bearer.ts'

/** Why a key may not pass, as its owner is told. */
export const refusalOf = (admission: Refused): Problem => {
  switch (admission.kind) {
    case 'invalid_api_key':
      return invalidKey()
    case 'insufficient_credits':
      return new Problem('insufficient_credits', 'The prepaid balance is used up; top it up to go on.', {
        param: 'authorization',
      })
    case 'rate_limited': {
      const { limitRequests } = admission.rates
      return new Problem('rate_limited', `This key may make ${limitRequests} requests a second.`, admission)
    }
    case 'token_rate_limited': {
      const { limitTokens } = admission.rates
      return new Problem(
        'token_rate_limited',
        `This key may use ${limitTokens} input tokens a minute.`,
        admission,
      )
    }
  }
}
