import { Problem } from '../problem.ts'
import { hashApiKey, isWellFormedApiKey } from './api-key.ts'

/** The bearer token of a request. */
export const bearerIn = (headers: Headers): string | undefined =>
  /^Bearer +(\S.*)$/i.exec(headers.get('authorization') ?? '')?.[1]

/** The hash of a request's key. Throws a 401, before any lookup, if the key is missing or malformed. */
export const keyHashIn = (headers: Headers): string => {
  const key = bearerIn(headers)
  if (key === undefined)
    throw new Problem('missing_api_key', 'Send an API key as Authorization: Bearer <key>.')
  if (!isWellFormedApiKey(key)) throw invalidKey()
  return hashApiKey(key)
}

export const invalidKey = (): Problem => new Problem('invalid_api_key', 'This API key is not valid.')
