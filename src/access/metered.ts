import type { Context } from 'hono'
import type { Usage } from '../decision/decision.ts'
import { costNanodollars } from '../decision/usage.ts'
import { documentIn, readBody, tokensAtMost, tokensDeclared } from '../http/body.ts'
import type { Document } from '../http/document.ts'
import { jsonResponse } from '../http/json-response.ts'
import { type EdgeEnv, liveOnFor } from '../http/visit.ts'
import type { JsonObject } from '../json/json.ts'
import { type Admitted, NOTHING_SPENT, type Spent } from './admission.ts'
import { invalidKey, keyHashIn } from './bearer.ts'
import { refusalOf } from './refusal.ts'

/** What a paid request comes to: the answer, the snapshot that gave it, and what it used. */
export type Served = { answer: JsonObject; snapshot: string; usage: Usage }

/**
 * A POST that an API key pays for. The key is admitted for the most its body can cost before the body is looked
 * at, and charged what `serve` says it used; nothing when `serve` throws. `maxNodes` bounds what reading can cost.
 */
export const metered =
  (maxNodes: number, serve: (body: Document, c: Context<EdgeEnv>) => Promise<Served>) =>
  async (c: Context<EdgeEnv>): Promise<Response> => {
    const keyHash = keyHashIn(c.req.raw.headers)
    // What strangers send must not take the memory of others' requests, nor wait there to be refused.
    const vouch = async () => {
      if (!(await c.get('services').gatekeeper.knows(keyHash))) throw invalidKey()
    }
    const body = readBody(c.req.raw, c.get('dialect').encodings, vouch)
    const tokens = tokensDeclared(c.req.raw.headers) ?? tokensAtMost(await body)
    const response = admitted(c, keyHash, tokens, async () => {
      const { answer, snapshot, usage } = await serve(documentIn(await body, maxNodes), c)
      const spent = {
        inputTokens: usage.input_tokens,
        costNanodollars: costNanodollars(usage.input_tokens, usage.cached_tokens),
      }
      Object.assign(c.get('visit'), { inputTokens: usage.input_tokens, cachedTokens: usage.cached_tokens })
      return { response: jsonResponse(answer, 200, { 'decider-model-version': snapshot }), spent }
    })
    // Whoever is refused in the middle of sending is cut off and never hears why: the body is read to its end first.
    return response.finally(() => body)
  }

/** A request that a live, funded key may make, and that costs nothing. */
export const unmetered =
  (serve: (c: Context<EdgeEnv>) => Promise<JsonObject>) =>
  (c: Context<EdgeEnv>): Promise<Response> =>
    admitted(c, keyHashIn(c.req.raw.headers), 0, async () => ({
      response: jsonResponse(await serve(c)),
      spent: NOTHING_SPENT,
    }))

type Work = () => Promise<{ response: Response; spent: Spent }>

const admitted = (c: Context<EdgeEnv>, keyHash: string, tokens: number, work: Work): Promise<Response> => {
  const finished = admitAndWork(c, keyHash, tokens, work)
  // A caller who hangs up may hold a reservation by now, and has used what was scored.
  c.executionCtx.waitUntil(finished.catch(() => undefined))
  return finished
}

const admitAndWork = async (
  c: Context<EdgeEnv>,
  keyHash: string,
  tokens: number,
  work: Work,
): Promise<Response> => {
  const admission = await c.get('services').gatekeeper.admit(keyHash, tokens)
  if (admission.kind !== 'invalid_api_key') {
    const { keyId, accountId, rates } = admission
    Object.assign(c.get('visit'), { keyId, accountId, rates })
  }
  if (admission.kind !== 'admitted') throw refusalOf(admission)
  return workAndSettle(c, admission, work)
}

const workAndSettle = async (c: Context<EdgeEnv>, admission: Admitted, work: Work): Promise<Response> => {
  let spent = NOTHING_SPENT
  try {
    const done = await work()
    spent = done.spent
    return done.response
  } finally {
    const { rates, told } = await admission.settle(spent)
    c.get('visit').rates = rates
    liveOnFor(c, told)
  }
}
