// A complete scorer with the real model, on its own port in this process.
import { createHash, createHmac, createSecretKey } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createLog } from '../log.ts'
import {
  HEADERS,
  PROTOCOL,
  type Refusal,
  type Route,
  type ScoreReply,
  type ScoreUnit,
  signedText,
  type UnitAnswer,
  type UnitQuestion,
} from '../protocol.ts'
import { createRouter } from '../router/router.ts'
import { startService } from '../service.ts'
import { readSettings } from '../settings.ts'
import { metricIn } from './metric.ts'
import { MODELS_FOLDER, SNAPSHOT } from './snapshot.ts'

export const KEY_ID = 'test'
const KEY = Buffer.alloc(32, 7)
export const SECRET = `${KEY_ID}:${KEY.toString('base64url')}`
export const KEYS = new Map([[KEY_ID, createSecretKey(KEY)]])

export type Answer<Body> = { status: number; headers: Headers; body: Body }
export type TestScorer = Awaited<ReturnType<typeof startScorer>>

export const startScorer = async (env: Record<string, string> = {}) => {
  const lines: string[] = []
  const log = createLog(line => lines.push(line), Date.now)
  const share = { cores: 2, memoryLimit: Number.MAX_SAFE_INTEGER }
  const settings = readSettings({ SCORER_SECRET: SECRET, SCORER_MODELS: MODELS_FOLDER, ...env }, share)
  const service = await startService(settings, {
    now: () => performance.now(),
    timeOfDay: Date.now,
    cacheSecret: new Uint8Array(32),
    log,
    onFatal: fault => {
      throw fault
    },
  })
  const server = createRouter(service.routes)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    lines,
    ...clientOf(url),
    drain: service.drain,
    stop: async () => {
      await service.drain()
      server.closeAllConnections()
      server.close()
      await service.close()
    },
  }
}

/** Talks to a scorer as the edge does. */
export const clientOf = (url: string) => {
  const post = async <Body>(
    path: Route,
    value: unknown,
    { headers = {}, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
  ): Promise<Answer<Body>> => {
    const body = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      body,
      headers: {
        [HEADERS.signature]: sign(body, { route: path, tenant: headers[HEADERS.tenant] ?? '' }),
        [HEADERS.deadline]: PATIENCE_MS,
        ...headers,
      },
      ...(signal && { signal }),
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body }
  }
  return {
    post,
    get: async (path: string) => {
      const response = await fetch(`${url}${path}`)
      return { status: response.status, text: await response.text() }
    },
    metric: async (series: string) => metricIn(await (await fetch(`${url}/metrics`)).text(), series),
    /** Scores one unit, and throws if it is not scored. */
    score: async (one: ScoreUnit, headers: Record<string, string> = {}): Promise<Scored> => {
      const { body } = await post<ScoreReply | Refusal>('/score', { units: [one] }, { headers })
      const [answer] = 'units' in body ? body.units : []
      if (answer?.kind !== 'scored') throw new Error(`not scored: ${answer?.kind ?? JSON.stringify(body)}`)
      return answer
    },
  }
}

export type Scored = Extract<UnitAnswer, { kind: 'scored' }>

export const sign = (
  body: Uint8Array,
  {
    at: timestampMs = Date.now(),
    key = KEY as Uint8Array,
    keyId = KEY_ID,
    route = '/score' as Route,
    tenant = '',
  } = {},
): string => {
  const bodySha256 = createHash('sha256').update(body).digest('hex')
  return `${PROTOCOL} ${keyId} ${timestampMs} ${bodySha256} ${createHmac('sha256', key)
    .update(signedText({ keyId, timestampMs, route, tenant, bodySha256 }))
    .digest('hex')}`
}

/** So long that a busy machine does not fail a test of something else. */
const PATIENCE_MS = '110000'

let tenants = 0

/** A unit with a tenant of its own, so that no cache is warm for it. */
export const unit = (over: Partial<ScoreUnit> = {}): ScoreUnit => ({
  tenant: `tenant ${tenants++}`,
  snapshot: SNAPSHOT,
  state: { form: 'text', text: 'Charged twice for one order, please refund me.' },
  questions: [TEAM, ANGRY, URGENT],
  reverse: false,
  ...over,
})

export const TEAM: UnitQuestion = {
  type: 'choice',
  instructions: 'Which team should handle this?',
  options: [
    ['billing', 'payments and refunds'],
    ['shipping', 'delivery'],
    ['technical', 'errors in the product'],
  ],
}
export const ANGRY: UnitQuestion = {
  type: 'noul',
  instructions: 'The customer is angry',
  sides: [null, null],
}
export const URGENT: UnitQuestion = {
  type: 'score',
  instructions: 'How urgent is it?',
  levels: ['can wait', 'soon', 'now'],
}
export const logitsOf = ({ questions }: Scored): number[][] => questions.map(({ logits }) => logits)
