import type { Context } from 'hono'
import { createFactory } from 'hono/factory'
import type { Rates } from '../access/admission.ts'
import type { Dialect } from '../decision/dialect.ts'
import type { ProblemCode } from '../problem.ts'
import type { Services } from '../services.ts'

/** What becomes known about a request along the way: the source of its headers and its one row of activity. */
export type Visit = {
  readonly requestId: string
  readonly arrivedAt: number
  /** The pattern of the route, if none of its handlers ran. */
  route: string | null
  rates: Rates
  keyId: string | null
  accountId: string | null
  /** The snapshot that will serve the request. */
  model: string | null
  questionCount: number
  inputTokens: number
  cachedTokens: number
  errorCode: ProblemCode | null
}

export type EdgeEnv = { Bindings: Env; Variables: { services: Services; visit: Visit; dialect: Dialect } }

/** Waits only if there is work: each promise that keeps a request alive costs CPU. */
export const liveOnFor = (c: Context<EdgeEnv>, work: Promise<void> | null): void => {
  if (work !== null) c.executionCtx.waitUntil(work)
}

export const factory = createFactory<EdgeEnv>()

/** Sets the API whose form a path and its errors use. */
export const speaking = (dialect: Dialect) =>
  factory.createMiddleware(async (c, next) => {
    c.set('dialect', dialect)
    await next()
  })

/** Hands the services to whatever comes after. Throws if the environment cannot be read. */
export const serving = (servicesOf: (env: Env) => Services) =>
  factory.createMiddleware(async (c, next) => {
    c.set('services', servicesOf(c.env))
    await next()
  })
