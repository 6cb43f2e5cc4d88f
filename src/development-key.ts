import { Hono } from 'hono'
import { isOfThisMachine } from './http/loopback.ts'
import { nothingHere } from './http/nothing-here.ts'

/**
 * Hands the playground its key in development, but only if `DEV_PLAYGROUND_KEY` is set and a page on this machine asks
 * under one of the machine's own names: a foreign name that resolves here gets nothing. Such a page can fake the
 * address, which Miniflare reads from a header, but not the Origin that browsers put on every POST.
 */
export const developmentKeyRoutes = new Hono<{ Bindings: { DEV_PLAYGROUND_KEY?: string } }>().post(
  '/dev/playground-key',
  c => {
    const key = c.env.DEV_PLAYGROUND_KEY ?? ''
    if (key === '' || !isOfThisMachine(c.req.url) || !isOfThisMachine(c.req.header('origin') ?? '')) {
      throw nothingHere()
    }
    return c.json({ key })
  },
)
