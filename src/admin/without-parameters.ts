import { createMiddleware } from 'hono/factory'
import { NoParameters, readQuery } from '../http/checked-input.ts'
import { servedRoute } from '../http/served-route.ts'

/** Refuses any query parameter, whatever the method. What is served nowhere is left to be refused as such. */
export const withoutParameters = createMiddleware(async (c, next) => {
  if (servedRoute(c) !== undefined) readQuery(c, NoParameters)
  await next()
})
