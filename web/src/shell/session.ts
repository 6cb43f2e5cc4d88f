// The API key lives in this tab's memory and nowhere else: a reload forgets it.
import { computed, signal } from '@preact/signals'
import { isLoopback } from '../../../src/http/loopback.ts'
import { refusedKey } from '../service/refused-key.ts'

export type Key = { value: string; source: 'typed' | 'development' }

export const key = signal<Key | null>(null)
/** Whether this is `npm run dev`: only there a key is handed out, and payments are pretended. */
export const inDevelopment = signal(false)

/** Whether the service said that the key in use is not valid. */
export const isRefused = computed(() => key.value !== null && key.value.value === refusedKey.value)

/**
 * On this machine, in development, the service hands out its playground key. Anywhere else the answer is 404,
 * and someone has to type a key.
 */
export const fetchDevelopmentKey = async (): Promise<void> => {
  if (!isLoopback(location.hostname)) return
  // A POST, because it carries the Origin header that the service checks.
  const response = await fetch('/dev/playground-key', { method: 'POST', credentials: 'omit' }).catch(
    () => null,
  )
  if (!response?.ok) return
  inDevelopment.value = true
  if (key.value !== null) return
  const body: unknown = await response.json().catch(() => null)
  if (typeof body === 'object' && body !== null && 'key' in body && typeof body.key === 'string') {
    key.value = { value: body.key, source: 'development' }
  }
}
