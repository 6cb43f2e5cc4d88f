import { Hono } from 'hono'
import { adminRoutes } from './admin/routes.ts'
import { PROBLEMS, Problem } from './problem.ts'

export { Gate } from './access/gate.ts'
export { Activity } from './activity/activity.ts'
export { Account } from './money/account.ts'
export { Directory } from './money/directory.ts'

const app = new Hono<{ Bindings: Env }>().route('/admin/v1', adminRoutes).onError((error, c) => {
  const problem =
    error instanceof Problem ? error : new Problem('internal_error', 'Something went wrong here.')
  const { status, type } = PROBLEMS[problem.code]
  return c.json(
    { error: { type, code: problem.code, message: problem.message, param: problem.param } },
    status,
  )
})

export default app
