import type { Context } from 'hono'
import { type Admitted, NOTHING_SPENT, type Owner, type Spent } from './access/admission.ts'
import { keyHashIn } from './access/bearer.ts'
import { refusalOf } from './access/refusal.ts'
import type { Served } from './decision/served.ts'
import { costNanodollars } from './decision/usage.ts'
import { documentIn, readBody, tokensAtMost, tokensDeclared } from './http/body.ts'
import type { Document } from './http/document.ts'
import { jsonResponse } from './http/json-response.ts'
import { type EdgeEnv, liveOnFor } from './http/visit.ts'
import type { JsonObject } from './json/json.ts'

/**
 * A POST that an API key pays for. The key is admitted for the most the body can cost before the body is looked at,
 * then charged what `serve` says was used, or nothing if `serve` throws. `maxNodes` bounds the cost of reading. `payer`
 * is the owner of the key as admitted.
 */
export const metered =
  (maxNodes: number, serve: (body: Document, vars: EdgeEnv['Variables'], payer: Owner) => Promise<Served>) =>
  async (c: Context<EdgeEnv>): Promise<Response> => {
    const { headers } = c.req.raw
    const keyHash = keyHashIn(headers)
    let admission: Promise<Admitted> | undefined
    // Once, when it is first known how many tokens the body may hold.
    const admit = (tokens: number) => (admission ??= admitted(c, keyHash, tokens))
    const declared = tokensDeclared(headers)
    const early = declared === null ? null : admit(declared)
    const body = readBody(c.req.raw, c.get('dialect').encodings, admit)
    const admitting = early ?? body.then(read => admit(tokensAtMost(read)))
    const response = settledAfter(c, admitting, async payer => {
      const { answer, snapshot, usage } = await serve(documentIn(await body, maxNodes), c.var, payer)
      const spent = {
        inputTokens: usage.input_tokens,
        costNanodollars: costNanodollars(usage.input_tokens, usage.cached_tokens),
      }
      const visit = c.get('visit')
      visit.inputTokens = usage.input_tokens
      visit.cachedTokens = usage.cached_tokens
      return { response: jsonResponse(answer, 200, { 'decider-model-version': snapshot }), spent }
    })
    // A caller refused while still sending is cut off and never hears why, so the body is read to its end first.
    return response.finally(() => body)
  }

/** A free request that needs a live, funded key. */
export const unmetered =
  (serve: (c: Context<EdgeEnv>) => Promise<JsonObject>) =>
  (c: Context<EdgeEnv>): Promise<Response> =>
    settledAfter(c, admitted(c, keyHashIn(c.req.raw.headers), 0), async () => ({
      response: jsonResponse(await serve(c)),
      spent: NOTHING_SPENT,
    }))

const admitted = async (c: Context<EdgeEnv>, keyHash: string, tokens: number): Promise<Admitted> => {
  const admission = await c.get('services').gatekeeper.admit(keyHash, tokens)
  if ('keyId' in admission) {
    const visit = c.get('visit')
    visit.keyId = admission.keyId
    visit.accountId = admission.accountId
    visit.rates = admission.rates
  }
  if (admission.kind !== 'admitted') throw refusalOf(admission)
  return admission
}

type Work = (payer: Owner) => Promise<{ response: Response; spent: Spent }>

const settledAfter = (c: Context<EdgeEnv>, admitting: Promise<Admitted>, work: Work): Promise<Response> => {
  const finished = workAndSettle(c, admitting, work)
  // A caller who hangs up may already hold a reservation, and has used what was scored.
  c.executionCtx.waitUntil(finished.catch(() => undefined))
  return finished
}

const workAndSettle = async (
  c: Context<EdgeEnv>,
  admitting: Promise<Admitted>,
  work: Work,
): Promise<Response> => {
  const admission = await admitting
  let spent = NOTHING_SPENT
  try {
    const done = await work(admission)
    spent = done.spent
    return done.response
  } finally {
    const { rates, delivered } = await admission.settle(spent)
    c.get('visit').rates = rates
    liveOnFor(c, delivered)
  }
}
