import { signal } from '@preact/signals'
import type { Reply } from './client.ts'

/** The last key that the service said is not valid. */
export const refusedKey = signal<string | null>(null)

/** Passes a reply on, and notes what it says about the key that asked. */
export const heard = (reply: Reply, key: string): Reply => {
  if (reply.kind === 'refused' && reply.refusal.code === 'invalid_api_key') refusedKey.value = key
  else if (refusedKey.peek() === key) refusedKey.value = null
  return reply
}
