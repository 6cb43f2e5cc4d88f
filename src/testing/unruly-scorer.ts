// A scorer on a real socket that fails in every possible way, by path. Runs in Node, around the tests in workerd.
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import {
  HEADERS,
  MAX_SCORE_ANSWER_BYTES,
  PROTOCOL,
  type ScoreReply,
  type ScorerHealth,
  signedText,
} from '../../scorer/protocol.ts'
import { MAX_REFUSAL_BYTES } from '../scorer/refusal.ts'
import { affinityTag } from '../scorer/tags.ts'
import { snapshotInfo } from './scorer.ts'

export const SCORER_KEY = { id: 'tests', secret: new Uint8Array(32).fill(9) }
export const TENANT_SECRET = 'the secret of the tags'
/** The deadline that a scorer which behaves well expects to be told. */
export const ASKED_WITHIN_MS = 5_000

declare module 'vitest' {
  interface ProvidedContext {
    unrulyScorer: string
  }
}

export const setup = async ({ provide }: TestProject) => {
  const server = createServer(listener)
  const port = await new Promise<number>(resolve => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
  provide('unrulyScorer', `http://127.0.0.1:${port}`)
  return () => {
    server.closeAllConnections()
    server.close()
  }
}

/** Callers. At `/asked/<caller>/healthz` and `/left/<caller>/healthz` a test looks for one. */
const seen = {
  asked: new Set<string>(),
  /** Those who left before their answer was complete. */
  left: new Set<string>(),
}

type Behaviour = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void

const listener: RequestListener = (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    // As strict about a path as the scorer.
    const [, name = '', caller = ''] =
      /^\/([^/]+)(?:\/([^/]+))?\/(?:score|healthz)$/.exec(request.url ?? '') ?? []
    if (name === 'asked' || name === 'left') {
      response.writeHead(seen[name].has(caller) ? 200 : 404).end()
      return
    }
    response.on('close', () => {
      if (!response.writableFinished) seen.left.add(caller)
    })
    const behave = behaviours.get(name)
    if (behave === undefined) response.writeHead(404).end()
    else behave(request, response, Buffer.concat(chunks))
    seen.asked.add(caller)
  })
}

/** The answer to one noul question. */
const answer: ScoreReply = {
  units: [
    {
      kind: 'scored',
      stateTokens: 3,
      stateFramingTokens: 4,
      cached: false,
      questions: [{ logits: [1, 0], questionTokens: 2, framingTokens: 7, reversed: null }],
    },
  ],
  runMs: 1,
}
const text = JSON.stringify(answer)

const health: ScorerHealth = {
  ok: true,
  ready: true,
  version: '0.0.0',
  protocol: PROTOCOL,
  engine: 'unruly',
  region: 'us',
  snapshots: [],
  aliases: { 'decider-1': 'snapshot' },
}

const serving: ScorerHealth = {
  ...health,
  snapshots: [{ ...snapshotInfo, id: 'snapshot' }],
}

const refusal = (error: string, message = ''): string => JSON.stringify({ error, message })

/** Sends a chunk again and again until the caller leaves. */
const pour = (response: ServerResponse, chunk: Buffer): void => {
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', more)
  more()
}

const says =
  (status: number, body: string, headers: Record<string, string> = {}): Behaviour =>
  (_, response) => {
    response.writeHead(status, headers).end(body)
  }

/** Healthy, but refuses to score. */
const refuses =
  (status: number, body: string, headers: Record<string, string> = {}, told: object = serving): Behaviour =>
  (request, response, asked) => {
    const isProbe = request.url?.endsWith('/healthz')
    const answer = isProbe ? says(200, JSON.stringify(told)) : says(status, body, headers)
    answer(request, response, asked)
  }

const visited = new Set<string>()

const behaviours = new Map<string, Behaviour>([
  [
    'well',
    (request, response, body) => {
      const answer = wellSigned(request, body) ? says(200, text) : says(401, refusal('bad_signature'))
      answer(request, response, body)
    },
  ],
  ['at-length', (...asked) => says(200, text.padEnd(MAX_SCORE_ANSWER_BYTES))(...asked)],
  ['healthy', says(200, JSON.stringify(health))],
  [
    'healthy-once',
    (request, response, body) => {
      if (visited.has(request.url ?? '')) response.destroy()
      else says(200, JSON.stringify(health))(request, response, body)
      visited.add(request.url ?? '')
    },
  ],
  [
    'hanging-later',
    (request, response, body) => {
      if (!visited.has(request.url ?? '')) says(200, JSON.stringify(health))(request, response, body)
      visited.add(request.url ?? '')
    },
  ],
  ['stopping', says(503, JSON.stringify({ ...health, ready: false }))],
  ['not-ready-as-500', says(500, JSON.stringify({ ...health, ready: false }))],
  ['nonsense', says(200, '<html>')],
  ['not-utf8', (_, response) => void response.writeHead(200).end(Buffer.from([0x22, 0xff, 0x22]))],
  ['empty', says(200, '')],
  ['other-shape', says(200, '{"units":{},"runMs":1}')],
  ['too-many-logits', says(200, text.replace('[1,0]', '[1,0,0]'))],
  ['infinite', says(200, text.replace('[1,0]', '[1,1e999]'))],
  ['behind', says(200, '{"units":[{"kind":"unknown_snapshot"}],"runMs":0}')],
  ['bad-signature', refuses(401, refusal('bad_signature'))],
  [
    'old',
    refuses(401, refusal('bad_signature'), {}, { ...serving, version: undefined, protocol: undefined }),
  ],
  ['bad-gateway', says(502, '<html>')],
  ['clock', refuses(401, refusal('clock'))],
  ['wrong-version', refuses(401, refusal('wrong_version'))],
  ['full', refuses(503, refusal('full'))],
  ['draining', refuses(503, refusal('draining'))],
  ['faulty', refuses(500, refusal('fault'))],
  ['full-as-500', refuses(500, refusal('full'))],
  ['bad-signature-as-403', refuses(403, refusal('bad_signature'))],
  ['tired', refuses(503, refusal('tired'))],
  ['proxy-page', refuses(502, '<html>')],
  ['not-an-object', refuses(503, 'null')],
  ['refusing-at-length', refuses(503, refusal('full', 'x'.repeat(MAX_REFUSAL_BYTES)))],
  [
    'refusing-endlessly',
    (_, response) => {
      response.writeHead(503)
      pour(response, Buffer.from(refusal('full').padEnd(MAX_REFUSAL_BYTES + 1)))
    },
  ],
  [
    'refusing-in-part',
    (_, response) => {
      response.writeHead(503, { 'content-length': '1000' })
      response.write(refusal('full'), () => response.destroy())
    },
  ],
  [
    'refusing-slowly',
    (_, response) => {
      response.writeHead(503)
      response.write(refusal('full'))
    },
  ],
  ['redirecting', refuses(307, '', { location: '/well/score' })],
  ['moved', says(302, text, { location: '/well/score' })],
  ['hanging', () => {}],
  [
    'killed',
    (_, response) => {
      response.writeHead(200, { 'content-length': String(text.length) })
      response.write(text.slice(0, 20), () => response.destroy())
    },
  ],
  ['killed-early', request => void request.socket.destroy()],
  [
    'dripping',
    (_, response) => {
      response.writeHead(200)
      let sent = 0
      const drip = setInterval(() => response.write(text.charAt(sent++ % text.length)), 40)
      response.on('close', () => clearInterval(drip))
    },
  ],
  [
    'endless',
    (_, response) => {
      response.writeHead(200)
      pour(response, Buffer.alloc(1_000_000, 0x20))
    },
  ],
])

const wellSigned = ({ headers }: IncomingMessage, body: Buffer): boolean => {
  const [version, id, at, told, mac] = String(headers[HEADERS.signature]).split(' ')
  const digest = createHash('sha256').update(body).digest('hex')
  const tenant = String(headers[HEADERS.tenant])
  const expected = createHmac('sha256', SCORER_KEY.secret)
    .update(
      signedText({
        keyId: SCORER_KEY.id,
        timestampMs: Number(at),
        route: '/score',
        tenant,
        bodySha256: digest,
      }),
    )
    .digest('hex')
  const [unit] = JSON.parse(body.toString()).units
  return (
    version === PROTOCOL &&
    told === digest &&
    id === SCORER_KEY.id &&
    Math.abs(Date.now() - Number(at)) < 30_000 &&
    mac === expected &&
    headers[HEADERS.deadline] === String(ASKED_WITHIN_MS) &&
    headers[HEADERS.affinity] === affinityTag(unit, TENANT_SECRET) &&
    tenant === unit.tenant
  )
}
