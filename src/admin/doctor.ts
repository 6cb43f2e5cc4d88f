import { version } from '../../package.json'
import { NAMED_KEY, NAMED_KEYS, PROTOCOL } from '../../scorer/protocol.ts'
import { SHARED_BUDGET_MS } from '../access/shared-gatekeeper.ts'
import { upstashLimiter } from '../access/upstash-limiter.ts'
import { isLoopback, isOfThisMachine } from '../http/loopback.ts'
import { readAliases } from '../models/aliases.ts'
import { danglingNames } from '../models/models.ts'
import { stripeTrials } from '../money/stripe-payments.ts'
import { readProfileKeys } from '../profiles/profile-keys.ts'
import { readSigningKey } from '../scorer/signature.ts'
import { type Checks, type Finding, findingsOf, readable, Wrong } from './finding.ts'
import { scorerChecks, scorerWith } from './scorer-checks.ts'

const MIN_SECRET_CHARACTERS = 16
const UPSTASH_DEADLINE_MS = 2_000
/** An account and a key that cannot exist. Asking for them leaves nothing behind. */
const NOBODY = 'doctor'

/** Checks every binding, secret and service that an environment names. Details never hold the value of a secret. */
export const examine = (env: Env): Promise<Finding[]> => findingsOf(checksOf(env))

const checksOf = (env: Env): Checks => ({
  'edge version': () => `${version}, protocol ${PROTOCOL}`,
  'binding GATE': async () => answers(await env.GATE.getByName(NOBODY).owner()),
  'binding ACCOUNT': async () => answers(await env.ACCOUNT.getByName(NOBODY).summary()),
  'binding ACTIVITY': async () => answers(await env.ACTIVITY.getByName(NOBODY).usage()),
  'binding DIRECTORY': async () => answers(await env.DIRECTORY.getByName('accounts').list('', 1)),
  'secret ADMIN_SECRET': () => longEnough(env.ADMIN_SECRET),
  'secret TENANT_SECRET': () => longEnough(env.TENANT_SECRET),
  'secret SCORER_SECRET': () => {
    const { id } = readable(() => readSigningKey(env.SCORER_SECRET), `must be ${NAMED_KEY}`)
    return `signs as ${id}`
  },
  'secret PROFILE_KEYS': () => {
    const keys = readable(() => readProfileKeys(env.PROFILE_KEYS), `must be ${NAMED_KEYS}, newest first`)
    return `signs as ${keys[0].id}, verifies ${keys.map(({ id }) => id).join(', ')}`
  },
  'variable MODEL_ALIASES': async () => {
    const aliases = readable(() => readAliases(env.MODEL_ALIASES), 'must be a JSON object from name to name')
    const health = await scorerWith(env.SCORER_URL, env.SCORER_SECRET).health()
    const set = `${aliases.size} set by the operator`
    if (typeof health === 'string') return set
    const dangling = danglingNames(health, aliases)
    if (dangling.length > 0) throw new Wrong(`stand for no model of the scorer: ${dangling.join(', ')}`)
    // No fault: it may be there for the day on which the snapshot goes.
    const unused = health.snapshots.map(({ id }) => id).filter(id => aliases.has(id))
    return unused.length === 0 ? set : `${set}, without effect on the ids of snapshots: ${unused.join(', ')}`
  },
  'variable SCORER_URL': () => encrypted(env.SCORER_URL, 'content'),
  ...scorerChecks(env.SCORER_URL, env.SCORER_SECRET),
  upstash: () => upstash(env),
  payments: () => payments(env),
})

const answers = (_: unknown): string => 'answers'

const longEnough = (secret: string | undefined): string => {
  if (!secret) throw new Wrong('is not set')
  if (secret.length < MIN_SECRET_CHARACTERS)
    throw new Wrong(`is shorter than ${MIN_SECRET_CHARACTERS} characters`)
  return 'is set'
}

/** Requests to a scorer are signed, not encrypted; requests to Upstash carry a token that opens everything it stores. */
const encrypted = (address: string, what: string): string => {
  const { protocol, hostname } = readable(
    () => new URL(address),
    'must be an address that begins with https://',
  )
  if (protocol === 'https:') return 'is encrypted'
  if (protocol === 'http:' && isLoopback(hostname)) return 'is on this machine'
  throw new Wrong(`must begin with https://: otherwise ${what} would travel unencrypted`)
}

const upstash = async (env: Env): Promise<string> => {
  const { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token } = env
  if (!url && !token) return 'off: only the Gates enforce limits'
  if (!url || !token) throw new Wrong('needs both UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN')
  encrypted(url, 'its token')
  const limits = { requestsPerSecond: 1_000, burst: 2_000, tokensPerMinute: 1 }
  const limiter = upstashLimiter({ url, token })(NOBODY, limits)
  const first = await limiter.take(0, UPSTASH_DEADLINE_MS)
  if (first.kind === 'unknown') {
    throw new Wrong(
      first.why === 'timeout'
        ? `does not answer within ${UPSTASH_DEADLINE_MS} ms`
        : 'cannot be used: it needs the address of the REST API and a token that can write, and must not be full or past a limit of its plan',
    )
  }
  // The first call may have had to connect. A request makes two calls.
  if ((await limiter.take(0, SHARED_BUDGET_MS / 2)).kind === 'unknown') {
    throw new Wrong(`is too far away: no request waits for it longer than ${SHARED_BUDGET_MS} ms in all`)
  }
  return 'answers'
}

const payments = async (env: Env): Promise<string> => {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: webhook } = env
  if (key && !webhook)
    throw new Wrong('Stripe also needs STRIPE_WEBHOOK_SECRET, or payments are never credited')
  if (key) return stripe(key)
  if (env.PAYMENTS === 'local') {
    if (isOfThisMachine(env.SCORER_URL)) return 'local: no money moves'
    throw new Wrong('PAYMENTS=local is for development on one machine: it credits money that nobody paid')
  }
  if (webhook)
    throw new Wrong(
      'STRIPE_WEBHOOK_SECRET also needs STRIPE_SECRET_KEY, or refunds and disputes are never booked',
    )
  return 'off: only the operator tops up'
}

/** Tries what a reload, a refund or a dispute will need, perhaps long after the key was set. */
const stripe = async (key: string): Promise<string> => {
  const outcomes = stripeTrials(key).map(async ({ needs, ask }) => {
    const refusal = await ask().then(
      () => null,
      error => Object(error).name,
    )
    return { needs, refusal }
  })
  for (const { needs, refusal } of await Promise.all(outcomes)) {
    switch (refusal) {
      case 'StripeInvalidRequestError':
        break
      case 'StripeAuthenticationError':
        throw new Wrong('Stripe refuses STRIPE_SECRET_KEY')
      case 'StripePermissionError':
        throw new Wrong(`STRIPE_SECRET_KEY may not ${needs}`)
      default:
        throw new Wrong('Stripe does not answer')
    }
  }
  return /^(sk|rk)_test_/.test(key) ? 'Stripe answers, in test mode: no money moves' : 'Stripe answers'
}
