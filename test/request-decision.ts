import { inject } from 'vitest'

/** Asks the native route of the running service. */
export const requestDecision = (body: object, key = inject('service').keys.standard): Promise<Response> =>
  fetch(`${inject('service').url}/v1/decisions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
