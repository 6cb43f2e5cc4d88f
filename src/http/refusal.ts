import type { Context } from 'hono'
import type { Router } from 'hono/router'
import type { RouterRoute } from 'hono/types'
import { failureOf, reportFault } from '../fault.ts'
import { PROBLEMS, Problem } from '../problem.ts'
import type { Services } from '../services.ts'
import { jsonResponse } from './json-response.ts'
import { nothingHere } from './nothing-here.ts'
import { serves } from './served-route.ts'
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

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** The methods that a path answers to, each with its route. */
const servedAt = (router: Router<[unknown, RouterRoute]>, path: string) =>
  METHODS.flatMap(method => {
    const route = router.match(method, path)[0].find(([[, route]]) => serves(route))?.[0][1]
    return route === undefined ? [] : [{ method: method === 'GET' ? 'GET, HEAD' : method, route }]
  })

/** What is often wrong with a path, above all because of the base URL that an SDK was given. */
const REPAIRS = [
  { wrong: /\/$/, right: '', advice: 'Remove the slash at its end.' },
  { wrong: /\/{2,}/g, right: '/', advice: 'Write single slashes.' },
  { wrong: /^\/v1(\/\w+)?(?=\/v1\/)/, right: '', advice: 'End the base URL before /v1.' },
  { wrong: /^\/openai\/v1(?=\/v1\/)/, right: '', advice: 'End the base URL before /openai/v1.' },
  { wrong: /(?<=\/v1)\/decisions(?=\/decisions$)/, right: '', advice: 'End the base URL after /v1.' },
  { wrong: /^\/openai\/(?!v1\/)/, right: '/openai/v1/', advice: 'End the base URL with /openai/v1.' },
  {
    wrong: /^\/(?!v1\/|openai\/)/,
    right: '/openai/v1/',
    advice: 'End the base URL with /openai/v1 for answers of OpenAI’s types, or with /v1 for native ones.',
  },
  { wrong: /^\/(?!v1\/)/, right: '/v1/', advice: 'End the base URL with /v1.' },
]

/** Refuses what no handler took: a wrong method on a path that answers to others, or a path with nothing there. */
export const refuseUnserved =
  (router: Router<[unknown, RouterRoute]>) =>
  (c: Context<EdgeEnv>): Response => {
    const { path } = c.req
    const served = servedAt(router, path)
    // Returned, not thrown: nothing would catch an error here before the headers are written.
    const [first] = served
    if (first === undefined) {
      const repair = REPAIRS.find(
        ({ wrong, right }) => servedAt(router, path.replace(wrong, right)).length > 0,
      )
      return respondWithProblem(nothingHere(repair?.advice), c)
    }
    const allowed = served.map(({ method }) => method).join(', ')
    c.get('visit').route = first.route.path
    const refusal = respondWithProblem(
      new Problem('method_not_allowed', `This path accepts only ${allowed}.`),
      c,
    )
    refusal.headers.set('allow', allowed)
    return refusal
  }
