import { createHash } from 'node:crypto'
import { Hono } from 'hono'
import * as v from 'valibot'
import { hashApiKey, isWellFormedApiKey } from '../access/api-key.ts'
import { arriving } from '../http/bytes.ts'
import type { EdgeEnv } from '../http/visit.ts'
import { Problem } from '../problem.ts'
import { isSignedBy } from './signature.ts'

/**
 * GitHub names no limit: "Your endpoint should be able to handle requests with a large number of matches." This holds
 * some ten thousand. A key of ours takes three calls, of which Cloudflare allows a request 10,000.
 */
const MAX_REPORT_BYTES = 4_000_000

const Report = v.array(v.object({ token: v.string(), type: v.string() }))

type Match = v.InferOutput<typeof Report>[number]

/**
 * Where GitHub reports keys found in public repositories. Keys of ours are revoked before the answer, which says for
 * each match whether it was one.
 * https://docs.github.com/en/code-security/secret-scanning/secret-scanning-partner-program
 */
export const leakRoutes = new Hono<EdgeEnv>().post('/', async c => {
  const identifier = c.req.header('github-public-key-identifier')
  const signature = c.req.header('github-public-key-signature')
  // Before a stranger's body is kept, and before GitHub is asked for its sake.
  if (!identifier || !signature) throw notSigned()
  const body = await arriving(c.req.raw, MAX_REPORT_BYTES)
  const key = await c.get('services').leakReporterKeys(identifier)
  if (key.kind === 'unheard')
    throw new Problem(
      'internal_error',
      'GitHub did not say with which keys it signs, so the report could not be checked. Send it again.',
    )
  if (key.kind === 'unknown' || !isSignedBy(key.pem, signature, body)) throw notSigned()
  const matches = matchesIn(body)
  const ours = await revokeOurs(new Set(matches.map(({ token }) => token)), c.env)
  return c.json(
    matches.map(({ token, type }) => ({
      token_hash: createHash('sha256').update(token).digest('base64'),
      token_type: type,
      label: ours.has(token) ? 'true_positive' : 'false_positive',
    })),
  )
})

const notSigned = () => new Problem('invalid_api_key', 'The report is not signed by GitHub.')

const matchesIn = (body: Uint8Array): Match[] => {
  try {
    return v.parse(Report, JSON.parse(new TextDecoder().decode(body)))
  } catch {
    throw new Problem('invalid_schema', 'A report must be an array of matches.', { param: 'body' })
  }
}

/** Those that are keys of ours. Throws if one of them may still be admitted, but not before all others are revoked. */
const revokeOurs = async (tokens: ReadonlySet<string>, env: Env): Promise<ReadonlySet<string>> => {
  const ours = new Set<string>()
  const revocations = [...tokens].filter(isWellFormedApiKey).map(async token => {
    if (await revokeIfOurs(token, env)) ours.add(token)
  })
  // Waits for every revocation: answering would end those under way, and the report may not come again.
  await Promise.allSettled(revocations)
  await Promise.all(revocations)
  return ours
}

/** False if it is not a key of ours. Throws if the key's Gate has not heard of it and may still admit it. */
const revokeIfOurs = async (token: string, env: Env): Promise<boolean> => {
  const gate = env.GATE.getByName(hashApiKey(token))
  const owner = await gate.owner()
  if (owner === null) return false
  // Neither waits for the other: an account restored to an earlier point in time may not know the key, and one that is
  // away, or hangs, cannot tell the Gate.
  const told = [gate.revoke(), env.ACCOUNT.getByName(owner.accountId).revokeKey(owner.keyId, 'leaked')]
  await Promise.allSettled(told)
  await Promise.all(told)
  return true
}
