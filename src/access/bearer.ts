import { Problem } from '../problem.ts'
import { hashApiKey, isWellFormedApiKey } from './api-key.ts'
import { API_KEY_PREFIX } from './key-hint.ts'

/** The bearer token of a request. */
export const bearerIn = (headers: Headers): string | undefined =>
  /^Bearer +(\S.*)$/i.exec(headers.get('authorization') ?? '')?.[1]

/** The hash of a request's key. Throws a 401, before any lookup, if the key is missing or malformed. */
export const keyHashIn = (headers: Headers): string => {
  const key = bearerIn(headers)
  if (key === undefined)
    throw new Problem('missing_api_key', 'Send an API key as Authorization: Bearer <key>.')
  if (/,./.test(key)) throw invalidKey(SEVERAL)
  if (!key.startsWith(API_KEY_PREFIX)) throw invalidKey(key.includes(API_KEY_PREFIX) ? WRAPPED : FOREIGN)
  if (!isWellFormedApiKey(key)) throw invalidKey(DAMAGED)
  return hashApiKey(key)
}

// What anybody can see in a key. Whether it was ever issued, is revoked or has expired is told to nobody.
/** A header that is sent twice arrives as one, its values joined by a comma, which no key contains. */
const SEVERAL = 'Authorization was sent more than once, or with more than one key. Send one key once.'
const FOREIGN = `This is not a key of this service, whose keys begin with "${API_KEY_PREFIX}".`
/** Mostly quotes, which some readers of .env files keep, or a second "Bearer". */
const WRAPPED = `Something stands before the key, which begins with "${API_KEY_PREFIX}". Send the key alone, without quotes.`
const DAMAGED = 'This API key is incomplete or altered. Was it copied whole?'

export const invalidKey = (why = 'This API key is not valid.'): Problem => new Problem('invalid_api_key', why)
