import type { Context } from 'hono'
import { failureOf, reportFault } from '../fault.ts'
import { PROBLEMS, Problem } from '../problem.ts'
import type { Services } from '../services.ts'
import { jsonResponse } from './json-response.ts'
import type { EdgeEnv } from './visit.ts'

/** The one exit for everything that goes wrong, in the form of the API that was called. */
export const respondWithProblem = (error: Error, c: Context<EdgeEnv>): Response => {
  const problem = error instanceof Problem ? error : unforeseen(error, c)
  c.get('visit').errorCode = problem.code
  const { status, body } = c.get('dialect').refuse(problem)
  return jsonResponse(body, status, headersOf(problem))
}

const headersOf = ({ code, retryAfterSeconds }: Problem): Record<string, string> => {
  // Required on every 401 (RFC 9110, 11.6.1): without it, Java's client throws if it has an authenticator.
  if (PROBLEMS[code].status === 401) return { 'www-authenticate': 'Bearer' }
  if (retryAfterSeconds !== undefined) {
    return { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) }
  }
  // OpenAI's SDK takes any 409 as temporary unless told otherwise; this one is permanent.
  return code === 'profile_model_mismatch' ? { 'x-should-retry': 'false' } : {}
}

const unforeseen = (error: Error, c: Context<EdgeEnv>): Problem => {
  const services: Services | undefined = c.get('services')
  const report = services?.report ?? reportFault
  report({
    kind: 'unforeseen',
    request_id: c.get('visit').requestId,
    ...failureOf(error),
    frames: framesOf(error),
  })
  return new Problem(
    'internal_error',
    'Something went wrong in the service. Its logs name the fault by the request id.',
  )
}

/** The frames, all our own code. The message before them may quote the request, with lines that look like frames. */
const framesOf = ({ stack = '', message }: Error): string[] => {
  const at = stack.indexOf(message)
  const trace = at < 0 ? '' : stack.slice(at + message.length)
  return trace.split('\n').filter(line => /^\s+at /.test(line))
}
