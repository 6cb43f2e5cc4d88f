import type { Context } from 'hono'
import { Problem } from '../problem.ts'
import { jsonResponse } from './json-response.ts'
import type { EdgeEnv } from './visit.ts'

/** The one exit of everything that goes wrong, in the words of the API that was called. */
export const respondWithProblem = (error: Error, c: Context<EdgeEnv>): Response => {
  const problem = error instanceof Problem ? error : unforeseen(error, c)
  c.get('visit').errorCode = problem.code
  const { status, body } = c.get('dialect').refuse(problem)
  return jsonResponse(body, status, retryHeaders(problem))
}

const retryHeaders = ({ code, retryAfterSeconds }: Problem): Record<string, string> => {
  if (retryAfterSeconds !== undefined) {
    return { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) }
  }
  // OpenAI's SDK takes any 409 for a passing state unless it is told otherwise; this one stays.
  return code === 'profile_model_mismatch' ? { 'x-should-retry': 'false' } : {}
}

const unforeseen = (error: Error, c: Context<EdgeEnv>): Problem => {
  // The message may quote the request; the frames are our own code.
  const frames = (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line))
  c.get('services').report({
    kind: 'unforeseen',
    requestId: c.get('visit').requestId,
    name: error.name,
    frames,
  })
  return new Problem('internal_error', 'Something went wrong here; the request id names it in our logs.')
}

/** Returned, not thrown: nothing catches what `notFound` throws before the headers would be written. */
export const refuseRoute = (c: Context<EdgeEnv>): Response =>
  respondWithProblem(new Problem('not_found', 'There is nothing at this path.'), c)

/** For a path that answers to other methods. */
export const refuseMethod =
  (allowed: string) =>
  (c: Context<EdgeEnv>): Response => {
    const refusal = respondWithProblem(
      new Problem('method_not_allowed', `This path answers to ${allowed}.`),
      c,
    )
    refusal.headers.set('allow', allowed)
    return refusal
  }
