import { Hono } from 'hono'
import { examine } from './doctor.ts'
import { operatorOnly } from './guard.ts'

/** Answers even where a broken secret keeps everything else from starting, and so uses none of the services. */
export const doctorRoute = new Hono<{ Bindings: Env }>().use(operatorOnly).get('/', async c => {
  const findings = await examine(c.env)
  return c.json({ object: 'doctor', ok: findings.every(({ ok }) => ok), data: findings })
})
