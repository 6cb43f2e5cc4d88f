// The answers of the account's read API, as the console shows them.
import { isObject, type JsonObject } from '../../../src/json/json.ts'
import { numberIn, numbersIn, objectIn, objectsIn, textIn } from '../service/fields.ts'

export type Account = {
  id: string
  name: string
  verified: boolean
  balanceUsd: number
  creditsUsd: number
  chargesUsd: number
  autoReload: { threshold: string; amount: string; canPay: boolean } | null
  liveKeys: number
  key: {
    kind: string
    name: string
    hint: string
    expires: string | null
    requestsPerSecond: number
    burst: number
    tokensPerMinute: number
  }
  credits: readonly { at: string; kind: string; amountUsd: number }[]
}

const NANO = 1e9

export const accountOf = (body: JsonObject): Account => {
  const reload = body.get('auto_reload')
  const key = objectIn(body, 'key')
  const limits = objectIn(key, 'limits')
  return {
    id: textIn(body, 'id'),
    name: textIn(body, 'name'),
    verified: textIn(body, 'verified_at') !== '',
    balanceUsd: numberIn(body, 'balance_nanodollars') / NANO,
    creditsUsd: numberIn(body, 'credits_nanodollars') / NANO,
    chargesUsd: numberIn(body, 'charges_nanodollars') / NANO,
    autoReload: isObject(reload)
      ? {
          threshold: textIn(reload, 'threshold_usd'),
          amount: textIn(reload, 'amount_usd'),
          canPay: reload.get('can_pay') === true,
        }
      : null,
    liveKeys: numberIn(body, 'live_keys'),
    key: {
      kind: textIn(key, 'kind'),
      name: textIn(key, 'name'),
      hint: textIn(key, 'hint'),
      expires: textIn(key, 'expires_at') || null,
      requestsPerSecond: numberIn(limits, 'requests_per_second'),
      burst: numberIn(limits, 'burst'),
      tokensPerMinute: numberIn(limits, 'tokens_per_minute'),
    },
    credits: objectsIn(body, 'recent_credits').map(credit => ({
      at: textIn(credit, 'at'),
      kind: textIn(credit, 'kind'),
      amountUsd: numberIn(credit, 'amount_nanodollars') / NANO,
    })),
  }
}

export type Day = {
  day: string
  requests: number
  inputTokens: number
  cachedTokens: number
  costUsd: number
  latency: { p50: number; p95: number; p99: number } | null
  errors: readonly [code: string, count: number][]
}

/** Oldest day first, as charts read. */
export const daysOf = (body: JsonObject): Day[] =>
  objectsIn(body, 'data')
    .map(day => {
      const latency = day.get('latency_ms')
      return {
        day: textIn(day, 'day'),
        requests: numberIn(day, 'requests'),
        inputTokens: numberIn(day, 'input_tokens'),
        cachedTokens: numberIn(day, 'cached_tokens'),
        costUsd: numberIn(day, 'cost_nanodollars') / NANO,
        latency: isObject(latency)
          ? { p50: numberIn(latency, 'p50'), p95: numberIn(latency, 'p95'), p99: numberIn(latency, 'p99') }
          : null,
        errors: numbersIn(day, 'errors'),
      }
    })
    .reverse()

export type Entry = {
  requestId: string
  at: string
  path: string
  status: number
  errorCode: string | null
  latencyMs: number
  inputTokens: number
  cachedTokens: number
  questions: number
  costUsd: string
}

export type Page = { entries: readonly Entry[]; next: string | null }

export const pageOf = (body: JsonObject): Page => ({
  entries: objectsIn(body, 'data').map(entry => ({
    requestId: textIn(entry, 'request_id'),
    at: textIn(entry, 'at'),
    path: textIn(entry, 'path'),
    status: numberIn(entry, 'status'),
    errorCode: textIn(entry, 'error_code') || null,
    latencyMs: numberIn(entry, 'latency_ms'),
    inputTokens: numberIn(entry, 'input_tokens'),
    cachedTokens: numberIn(entry, 'cached_tokens'),
    questions: numberIn(entry, 'question_count'),
    costUsd: textIn(entry, 'cost_usd'),
  })),
  next: textIn(body, 'next_cursor') || null,
})

export type Model = {
  id: string
  status: string
  released: string
  retires: string | null
  stateTokens: number
  aliases: readonly string[]
}

export const modelsOf = (body: JsonObject): Model[] =>
  objectsIn(body, 'data').map(model => ({
    id: textIn(model, 'id'),
    status: textIn(model, 'status'),
    released: textIn(model, 'released'),
    retires: textIn(model, 'retire_after') || null,
    stateTokens: numberIn(model, 'max_state_tokens'),
    aliases: [...objectIn(body, 'alias')].flatMap(([name, id]) => (id === textIn(model, 'id') ? [name] : [])),
  }))
