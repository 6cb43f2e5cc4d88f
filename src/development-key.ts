import { Hono } from 'hono'
import { isLoopback } from './http/loopback.ts'
import { Problem } from './problem.ts'

/**
 * In development the playground finds its key by itself. Only where `DEV_PLAYGROUND_KEY` is set and a page of this
 * machine, under a name of its own, asks: a foreign name that resolves here gets nothing. Such a page can have the
 * address look like ours, which Miniflare reads from a header, but not the Origin that browsers put on every POST.
 */
export const developmentKeyRoutes = new Hono<{ Bindings: { DEV_PLAYGROUND_KEY?: string } }>().post(
  '/dev/playground-key',
  c => {
    const key = c.env.DEV_PLAYGROUND_KEY ?? ''
    if (key === '' || !isOfThisMachine(c.req.url) || !isOfThisMachine(c.req.header('origin') ?? '')) {
      throw new Problem('not_found', 'There is nothing at this path.')
    }
    return c.json({ key })
  },
)

const isOfThisMachine = (url: string): boolean => URL.canParse(url) && isLoopback(new URL(url).hostname)
