import { createHmac } from 'node:crypto'
import type { ScoreUnit } from '../../scorer/protocol.ts'
import type { Mac } from './mac.ts'

/** Names an account to the scorer without telling who it is; equal for equal accounts. */
export const tenantTag = (accountId: string, secret: string): string =>
  createHmac('sha256', secret).update(`tenant\n${accountId}`).digest('base64url')

/** Equal for one tenant's equal states, so that a balancer can send them where their prefix is cached. */
export const affinityTag = async ({ tenant, state }: ScoreUnit, mac: Mac): Promise<string> =>
  (await mac(UTF8.encode(`affinity\n${tenant}\n${state.form}\n${state.text}`))).toString('base64url')

const UTF8 = new TextEncoder()
