import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'
import { METHOD_NAME_ALL } from 'hono/router'
import type { RouterRoute } from 'hono/types'

/** The route that serves the request, if any does. The table lists middleware, too, under all methods. */
export const servedRoute = (c: Context): RouterRoute | undefined =>
  matchedRoutes(c).find(({ method }) => method !== METHOD_NAME_ALL)
