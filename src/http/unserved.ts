import type { Context } from 'hono'
import type { Router } from 'hono/router'
import type { RouterRoute } from 'hono/types'
import { Problem } from '../problem.ts'
import { nothingHere } from './nothing-here.ts'
import { respondWithProblem } from './refusal.ts'
import { serves } from './served-route.ts'
import type { EdgeEnv } from './visit.ts'

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
