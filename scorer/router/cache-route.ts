import type { Core } from '../core/core.ts'
import { parseJson } from '../parse-json.ts'
import type { Refusal } from '../protocol.ts'
import type { Handler } from './handler.ts'
import { replyJson, replyRefusal } from './reply.ts'
import { readSigned, type SignedParts } from './signed.ts'

/** `POST /cache/clear`: forgets the cached states and questions of one tenant (`{"tenant": "…"}`) or all (`{}`). */
export const clearCacheRoute =
  ({ core, ...parts }: SignedParts & { core: Core }): Handler =>
  async (request, response) => {
    const body = await readSigned('/cache/clear', request, response, parts)
    if ('error' in body) return replyRefusal(response, body)
    const tenant = tenantIn(body)
    if (tenant === undefined) return replyRefusal(response, UNREADABLE)
    replyJson(response, 200, { cleared: core.clearCache(tenant) })
  }

const UNREADABLE: Refusal = { error: 'bad_request', message: 'body must be {} or hold a tenant as a string' }

/** The tenant, null for all, or undefined for any other body: a request to score sent here must not empty the cache. */
const tenantIn = (body: Uint8Array): string | null | undefined => {
  const sent = parseJson(body)
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return undefined
  const [[name, tenant] = [], ...more] = Object.entries(sent)
  if (name === undefined) return null
  return name === 'tenant' && typeof tenant === 'string' && more.length === 0 ? tenant : undefined
}
