import { Hono } from 'hono'
import { Problem } from '../problem.ts'

const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * In development the playground finds its key by itself. Only where `DEV_PLAYGROUND_KEY` is set and the page was
 * asked for on this machine under a name of its own: a foreign name that resolves here gets nothing.
 */
export const developmentKeyRoutes = new Hono<{ Bindings: { DEV_PLAYGROUND_KEY?: string } }>().get(
  '/dev/playground-key',
  c => {
    const key = c.env.DEV_PLAYGROUND_KEY ?? ''
    if (key === '' || !LOOPBACK.has(new URL(c.req.url).hostname)) {
      throw new Problem('not_found', 'There is nothing at this address.')
    }
    return c.json({ key })
  },
)
