import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { ScorerHealth } from '../protocol.ts'
import { createBodyMemory } from './body.ts'
import { clearCacheRoute } from './cache-route.ts'
import type { Handler } from './handler.ts'
import { replyJson, replyRefusal, replyText } from './reply.ts'
import { type ScoreRouteParts, scoreRoute } from './score-route.ts'

export type RouterParts = Omit<ScoreRouteParts, 'bodies'> & {
  health: () => ScorerHealth
  metricsText: () => string
  onFault: (fault: unknown) => void
}

/** A request, including its body, must arrive within this time. */
const REQUEST_TIMEOUT_MS = 30_000

/** How often Node looks for requests that have taken longer. A stalled upload holds memory that others wait for. */
const LOOK_MS = 1_000

/** Bodies held at a time: a burst of the largest must not use memory that belongs to the models. */
const MAX_BODIES_BYTES = 64 * 1024 ** 2
const MAX_BODIES_BYTES_OF_ONE_TENANT = MAX_BODIES_BYTES / 2

/**
 * Longer than proxies keep a connection idle (cloudflared 90 s, Caddy 2 minutes, Envoy an hour), so that it is they who
 * close it. Many do not repeat a POST that meets a connection just closed: its caller would get 503.
 */
const KEEP_ALIVE_MS = 3_900_000

/** The service's HTTP server. */
export const createRouter = (shared: RouterParts): Server => {
  const parts = { ...shared, bodies: createBodyMemory(MAX_BODIES_BYTES, MAX_BODIES_BYTES_OF_ONE_TENANT) }
  const routes: Routes = new Map([
    ['/score', { method: 'POST', handler: scoreRoute(parts) }],
    ['/cache/clear', { method: 'POST', handler: clearCacheRoute(parts) }],
    ['/healthz', { method: 'GET', handler: healthRoute(parts.health) }],
    ['/metrics', { method: 'GET', handler: (_, response) => replyText(response, parts.metricsText()) }],
  ])
  return createServer(
    {
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: LOOK_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => {
      route(routes, request, response).catch(fault => {
        // A caller that leaves in the middle of its body is not a fault of the scorer.
        if (request.destroyed && !request.complete) return
        parts.onFault(fault)
        replyRefusal(response, { error: 'fault', message: 'the request could not be handled' })
      })
    },
  )
}

type Routes = ReadonlyMap<string, { method: string; handler: Handler }>

const route = async (routes: Routes, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const [path = ''] = (request.url ?? '').split('?', 1)
  const found = routes.get(path)
  if (found === undefined) return replyJson(response, 404, { error: 'not_found', message: 'no such path' })
  // Many load balancers probe with HEAD. Node leaves the body out of the answer.
  const method = request.method === 'HEAD' ? 'GET' : request.method
  if (method === found.method) return found.handler(request, response)
  response.setHeader('Allow', found.method)
  replyJson(response, 405, { error: 'method_not_allowed', message: 'no such method for this path' })
}

/** Alive is not the same as ready: while draining, 503 tells a load balancer to look elsewhere. */
const healthRoute =
  (health: () => ScorerHealth): Handler =>
  (_, response) => {
    const found = health()
    replyJson(response, found.ready ? 200 : 503, found)
  }
