// Real accounts for tests inside workerd, and the Gates of their keys.
import { env } from 'cloudflare:workers'
import { hashApiKey } from '../access/api-key.ts'
import type { KeyOrder } from '../money/account.ts'
import { newAccountId } from '../money/account-id.ts'

export const openAccount = async ({ verified = true } = {}) => {
  const id = newAccountId()
  const account = env.ACCOUNT.getByName(id)
  await account.open(id, 'Ada')
  if (verified) await account.verify()
  const newKey = async (order: Partial<KeyOrder> = {}) => {
    const made = await account.createKey({ kind: 'standard', name: 'k', expiresAt: null, ...order })
    if (made?.kind !== 'created') throw new Error('no key')
    const hash = hashApiKey(made.key)
    return { key: made.key, keyId: made.id, hash, gate: env.GATE.getByName(hash) }
  }
  return { id, account, newKey }
}
