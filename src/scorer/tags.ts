import { createHmac } from 'node:crypto'
import type { ScoreUnit } from '../../scorer/protocol.ts'

/** Throws if there is none: without it, tags would be plain digests of content for every balancer to log. */
export const readTenantSecret = (text: string | undefined): string => {
  if (!text) throw new Error('TENANT_SECRET is not set')
  return text
}

/** Identifies an account to the scorer without revealing who it is; equal for equal accounts. */
export const tenantTag = (accountId: string, secret: string): string => tagOf(`tenant\n${accountId}`, secret)

/** Equal for one tenant's equal states, so that a balancer can send them where their prefix is cached. */
export const affinityTag = ({ tenant, state }: ScoreUnit, secret: string): string =>
  tagOf(`affinity\n${tenant}\n${state.form}\n${state.text}`, secret)

const tagOf = (text: string, secret: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url')
