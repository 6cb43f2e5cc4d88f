import { createMiddleware } from 'hono/factory'
import { matchedRoutes } from 'hono/route'
import { METHOD_NAME_ALL } from 'hono/router'
import { NoParameters, readQuery } from '../http/checked-input.ts'

/** Refuses any query parameter, whatever the method. What is served nowhere is left to be refused as such. */
export const withoutParameters = createMiddleware(async (c, next) => {
  if (matchedRoutes(c).some(({ method }) => method !== METHOD_NAME_ALL)) readQuery(c, NoParameters)
  await next()
})
