import { setTimeout as pause } from 'node:timers/promises'
import { type Client, connect } from '../decider/client.ts'

/** The admin API of the service under test; a call is repeated until it is answered. */
export const adminApi = async (url: string, secret: string): Promise<Client> => {
  const client = await connect({ DECIDER_ADMIN_SECRET: secret }, url)
  const call: Client['call'] = async (...request) => {
    for (;;) {
      try {
        return await client.call(...request)
      } catch {
        // The service is being killed and restarted.
      }
      await pause(200)
    }
  }
  return { url, call }
}
