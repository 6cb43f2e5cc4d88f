import type { Context } from 'hono'
import { matchedRoutes } from 'hono/route'
import { METHOD_NAME_ALL } from 'hono/router'
import type { RouterRoute } from 'hono/types'

/** The table of routes lists middleware, too, under all methods. */
export const serves = ({ method }: RouterRoute): boolean => method !== METHOD_NAME_ALL

/** The route that serves the request, if any does. */
export const servedRoute = (c: Context): RouterRoute | undefined => matchedRoutes(c).find(serves)
