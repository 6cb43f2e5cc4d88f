import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { ScoreRequest } from '../../scorer/protocol.ts'
import { scorerThatPrefersTheFirst } from '../../src/testing/scorer.ts'

/** A scorer that follows the protocol without a model: the billing is under test, not the decisions. */
export const startScorer = async (): Promise<{ url: string; stop(): void }> => {
  const scorer = scorerThatPrefersTheFirst()
  const server = createServer(async (request, response) => {
    const body = await text(request)
    response.setHeader('content-type', 'application/json')
    if (request.url === '/healthz') return response.end(JSON.stringify(await scorer.health()))
    // Now and then it is full: the edge then answers 503, and nobody may be charged.
    if (Math.random() < 0.02) return response.writeHead(503).end('{"error":"full","message":"Full."}')
    const { units } = JSON.parse(body) as ScoreRequest
    const answer = JSON.stringify(await scorer.score(units, { deadlineMs: 10_000 }))
    setTimeout(() => response.end(answer), Math.random() * 20)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() }
}
