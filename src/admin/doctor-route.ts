import { Hono } from 'hono'
import { examine } from './doctor.ts'
import { operatorOnly } from './guard.ts'
import { withoutParameters } from './without-parameters.ts'

/** Uses none of the services, so that it answers even if a broken secret keeps everything else from starting. */
export const doctorRoute = new Hono<{ Bindings: Env }>()
  .use(operatorOnly, withoutParameters)
  .get('/', async c => {
    const findings = await examine(c.env)
    return c.json({ object: 'doctor', ok: findings.every(({ ok }) => ok), data: findings })
  })
