import { HEADERS } from '../../scorer/protocol.ts'
import { isAccountId } from '../../src/money/account-id.ts'
import { present } from '../../src/present.ts'
import { readSigningKey, signed } from '../../src/scorer/signature.ts'
import { tenantTag } from '../../src/scorer/tags.ts'
import { referral } from '../service-url.ts'
import { type Call, type Command, text } from './command.ts'
import { ServiceError, UsageError } from './errors.ts'
import { scorerAddress } from './scorer-address.ts'
import { scorerSecrets } from './scorer-secrets.ts'

const TIMEOUT_MS = 10_000

export const cacheCommands: readonly Command[] = [
  {
    name: 'cache clear',
    takes: [],
    options: {
      scorer: { value: 'URL', says: 'the scorer, reached from here, with SCORER_SECRET set' },
      account: { value: 'ID', says: 'only what this account sent, with TENANT_SECRET set' },
    },
    needs: [['scorer']],
    says: 'Make a scorer forget the states and questions in its memory before their time is up.',
    run: async call => {
      const { cleared } = await clear(scorerAddress(call), call)
      return {
        output: { kind: 'value', data: { cleared }, value: `states forgotten: ${cleared}` },
      }
    },
  },
]

const clear = async (scorer: string, call: Call): Promise<{ cleared: number }> => {
  // The scorer accepts any of them.
  const [secret] = scorerSecrets(call)
  const key = readSigningKey(present(secret, 'a key'))
  const body = new TextEncoder().encode(JSON.stringify({ tenant: tenantOf(call) }))
  const signature = signed({ route: '/cache/clear', tenant: '', body }, Date.now(), key)
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const answer = await fetch(`${scorer}/cache/clear`, {
    method: 'POST',
    headers: { [HEADERS.signature]: signature },
    body,
    signal,
    redirect: 'manual',
  }).catch(() => {
    throw new ServiceError(`Nothing answers at ${scorer}.`)
  })
  const referred = referral(new URL(scorer), answer.status, answer.headers.get('location'))
  if (referred !== null) throw new ServiceError(referred)
  const read = await answer.json().catch(() => null)
  if (typeof read?.message === 'string') throw new ServiceError(`The scorer refuses: ${read.message}.`, read)
  if (typeof read?.cleared !== 'number')
    throw new ServiceError(
      `What answers at ${scorer} is not a scorer, or a proxy that does not pass this on (${answer.status}): ask each scorer at an address of its own.`,
    )
  return read
}

/** The tag under which the scorer keeps what an account sent; undefined, which JSON leaves out, for all accounts. */
const tenantOf = (call: Call): string | undefined => {
  const account = text(call, 'account')
  if (account === undefined) return undefined
  if (!isAccountId(account)) throw new UsageError('--account must be the id of an account, acct_…')
  const secret = call.env.TENANT_SECRET
  if (!secret) throw new UsageError('Set TENANT_SECRET to the secret of the edge.')
  return tenantTag(account, secret)
}
