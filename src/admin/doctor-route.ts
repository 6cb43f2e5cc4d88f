import { Hono } from 'hono'
import { PROBLEMS, Problem } from '../problem.ts'
import { examine } from './doctor.ts'
import { operatorOnly } from './guard.ts'

/** Answers even where a broken secret keeps everything else from starting, and so shares nothing with it. */
export const doctorRoute = new Hono<{ Bindings: Env }>()
  .use(operatorOnly)
  .get('/', async c => {
    const findings = await examine(c.env)
    return c.json({ object: 'doctor', ok: findings.every(({ ok }) => ok), data: findings })
  })
  .onError((error, c) => {
    const { code, message } =
      error instanceof Problem ? error : new Problem('internal_error', 'The doctor fell ill.')
    const { status, type } = PROBLEMS[code]
    return c.json({ error: { type, code, message } }, status, { 'cache-control': 'no-store' })
  })
