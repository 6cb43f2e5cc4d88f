import { createHash, timingSafeEqual } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import { bearerIn } from '../access/bearer.ts'
import { nothingHere } from '../http/nothing-here.ts'
import { Problem } from '../problem.ts'

/** Lets the operator pass. While ADMIN_SECRET is not set, these paths do not exist for anybody. */
export const operatorOnly = createMiddleware<{ Bindings: Env }>(async (c, next) => {
  const secret = c.env.ADMIN_SECRET
  if (!secret) throw nothingHere()
  const sent = bearerIn(c.req.raw.headers)
  if (sent === undefined) throw new Problem('missing_api_key', 'Send the admin secret as a bearer token.')
  if (!sameSecret(sent, secret)) throw new Problem('invalid_api_key', 'This is not the admin secret.')
  await next()
})

/** Compares what was sent with the secret in a time that depends on neither. */
const sameSecret = (sent: string, secret: string): boolean => timingSafeEqual(digest(sent), digest(secret))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
