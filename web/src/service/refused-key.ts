import { signal } from '@preact/signals'
import type { Refusal, Reply } from './client.ts'

/** The last key that the service said is not valid. */
export const refusedKey = signal<string | null>(null)

/** Whether a refusal is of the key itself, which only another key can repair. */
export const isOfKey = (code: string | null): boolean => code === 'invalid_api_key'

/** Whether a refusal is of the key, its account's balance or its limits: another key may not be refused so. */
export const isBoundToKey = ({ status }: Refusal): boolean => [401, 402, 429].includes(status)

/** In the time of `performance.now()`. */
let refusedAt = 0

/** Passes a reply on, and notes what it says about the key that asked. */
export const heard = (reply: Reply, key: string): Reply => {
  if (reply.kind === 'refused' && isOfKey(reply.refusal.code)) {
    refusedKey.value = key
    refusedAt = performance.now()
  } else if (refusedKey.peek() === key && !wasUnderWay(reply)) refusedKey.value = null
  return reply
}

/** Whether its request was sent before the refusal was heard: the key may have been revoked since it was admitted. */
const wasUnderWay = (reply: Reply): boolean =>
  'envelope' in reply && performance.now() - reply.envelope.roundTripMs < refusedAt
