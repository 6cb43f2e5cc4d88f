import { Problem } from '../problem.ts'
import type { Refused } from './admission.ts'
import { invalidKey } from './bearer.ts'

/** Why a key may not pass, in the words its owner reads. */
export const refusalOf = (admission: Refused): Problem => {
  switch (admission.kind) {
    case 'invalid_api_key':
      return invalidKey()
    case 'overloaded':
      return new Problem('rate_limited', 'More requests come with this key than can be admitted.', {
        retryAfterSeconds: 1,
      })
    case 'insufficient_credits':
      return new Problem('insufficient_credits', 'The prepaid balance is used up. Top it up to continue.', {
        param: 'authorization',
      })
    case 'rate_limited': {
      const { limitRequests } = admission.rates
      return new Problem(
        'rate_limited',
        `This key is limited to ${limitRequests} requests per second.`,
        admission,
      )
    }
    case 'token_rate_limited': {
      const { limitTokens } = admission.rates
      return new Problem(
        'token_rate_limited',
        `This key is limited to ${limitTokens} input tokens per minute, where a request counts as many as its body has bytes until it is answered.`,
        admission,
      )
    }
  }
}
