// A scorer on a real socket that fails in every possible way, by path. Runs in Node, around the tests in workerd.
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { HEADERS, type ScoreAnswer, signedText } from '../../scorer/protocol.ts'

export const SCORER_KEY = { id: 'tests', secret: new Uint8Array(32).fill(9) }

declare module 'vitest' {
  interface ProvidedContext {
    unrulyScorer: string
  }
}

// biome-ignore lint/style/noDefaultExport: vitest asks for one
export default async ({ provide }: TestProject) => {
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

type Behaviour = (request: IncomingMessage, response: ServerResponse, body: Buffer) => void

const listener: RequestListener = (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    // As strict about a path as the scorer.
    const behave = behaviours.get(
      /^\/([^/]+)(?:\/[^/]+)?\/(?:score|healthz)$/.exec(request.url ?? '')?.[1] ?? '',
    )
    if (behave === undefined) response.writeHead(404).end()
    else behave(request, response, Buffer.concat(chunks))
  })
}

/** The answer to one noul question. */
const answer: ScoreAnswer = {
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

const health = {
  ok: true,
  ready: true,
  engine: 'unruly',
  region: 'us',
  snapshots: [],
  aliases: {},
}

const says =
  (status: number, body: string, headers: Record<string, string> = {}): Behaviour =>
  (_, response) => {
    response.writeHead(status, headers).end(body)
  }

const visited = new Set<string>()

const behaviours = new Map<string, Behaviour>([
  [
    'well',
    (request, response, body) => says(wellSigned(request, body) ? 200 : 401, text)(request, response, body),
  ],
  ['healthy', says(200, JSON.stringify(health))],
  [
    'healthy-once',
    (request, response, body) => {
      if (visited.has(request.url ?? '')) response.destroy()
      else says(200, JSON.stringify(health))(request, response, body)
      visited.add(request.url ?? '')
    },
  ],
  ['nonsense', says(200, '<html>')],
  ['not-utf8', (_, response) => void response.writeHead(200).end(Buffer.from([0x22, 0xff, 0x22]))],
  ['empty', says(200, '')],
  ['other-shape', says(200, '{"units":{},"runMs":1}')],
  ['too-few-units', says(200, '{"units":[],"runMs":1}')],
  ['too-many-logits', says(200, text.replace('[1,0]', '[1,0,0]'))],
  ['no-number', says(200, text.replace('[1,0]', '[1,null]'))],
  ['infinite', says(200, text.replace('[1,0]', '[1,1e999]'))],
  ['negative-tokens', says(200, text.replace('"stateTokens":3', '"stateTokens":-3'))],
  [
    'unasked-reversal',
    says(
      200,
      text.replace('"reversed":null', '"reversed":{"logits":[1,0],"questionTokens":1,"framingTokens":1}'),
    ),
  ],
  ['behind', says(200, '{"units":[{"kind":"unknown_snapshot"}],"runMs":0}')],
  ['full', says(503, '{"error":"full","message":""}')],
  ['redirecting', says(307, '', { location: '/well/score' })],
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
      const chunk = Buffer.alloc(1_000_000, 0x20)
      const pour = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.on('drain', pour)
      pour()
    },
  ],
])

const wellSigned = ({ headers }: IncomingMessage, body: Buffer): boolean => {
  const [version, id, at, told, mac] = String(headers[HEADERS.signature]).split(' ')
  const digest = createHash('sha256').update(body).digest('hex')
  const expected = createHmac('sha256', SCORER_KEY.secret)
    .update(signedText(SCORER_KEY.id, Number(at), digest))
    .digest('hex')
  const deadline = Number(headers[HEADERS.deadline])
  const affinity = String(headers[HEADERS.affinity])
  return (
    version === 'v2' &&
    told === digest &&
    id === SCORER_KEY.id &&
    Math.abs(Date.now() - Number(at)) < 30_000 &&
    mac === expected &&
    Number.isInteger(deadline) &&
    /^[\w-]{43}$/.test(affinity) &&
    headers[HEADERS.tenant] === JSON.parse(body.toString()).units[0].tenant
  )
}
