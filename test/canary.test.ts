// Tests zero retention: unique texts go through every path of the running service. Afterwards nothing that it wrote,
// logged, sent on or answered may hold one, in any encoding, except the answer it belongs in.

import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../scripts/decider/client.ts'
import { ROOT } from '../scripts/root.ts'
import { type Child, startChild } from '../scripts/service/child.ts'
import { createDemoAccount } from '../scripts/service/demo.ts'
import { startEdge } from '../scripts/service/edge.ts'
import { healthy } from '../scripts/service/health.ts'
import { freePort } from '../scripts/service/ports.ts'
import { localSecrets } from '../scripts/service/secrets.ts'
import { SNAPSHOT, scorerThatPrefersTheFirst } from '../src/testing/scorer.ts'
import { type Leak, leaksInFolder, leaksInTexts } from './canary/haystack.ts'
import { dressesOf, newCanary } from './canary/needle.ts'
import { failures, type Given, successes, type Visit } from './canary/visits.ts'
import { type Bridge, startBridge } from './redis/bridge.ts'
import { hasRedisServer, type RedisServer, startRedisServer } from './redis/server.ts'

const secret = newCanary()
const named = newCanary()
const given: Given = { secret, named, auth: '', authWithoutCredit: '', authPlayground: '' }

const logs: string[] = []
/** At this log level wrangler dev adds lines of its own that hold each URL. `npm run dev` runs it without them. */
const ACCESS_LINE = /^.*\[wrangler:info\] [A-Z]+ .+ \d{3} .+\(\d+ms\).*$/gm
const heard = (text: string) => logs.push(text.replace(ACCESS_LINE, ''))
const children: Child[] = []
let dataDir: string
let url: string
let urlWithParrot: string
let scorerUrl: string
let redis: RedisServer | undefined
let bridge: Bridge | undefined
let parrot: Server

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'decider-canary-'))
  // Anything the processes store ends up where the test looks: temporary files, wrangler's own logs and state.
  const homes = {
    TMPDIR: join(dataDir, 'tmp'),
    XDG_CONFIG_HOME: join(dataDir, 'config'),
    HOME: join(dataDir, 'home'),
  }
  for (const folder of Object.values(homes)) await mkdir(folder)
  Object.assign(process.env, homes)
  if (hasRedisServer) {
    redis = await startRedisServer()
    bridge = await startBridge(redis.port)
  }
  parrot = await startParrot()
  const secrets = await localSecrets(dataDir)
  const [scorerPort, port, parrotPort] = [await freePort(), await freePort(), await freePort()]
  scorerUrl = `http://127.0.0.1:${scorerPort}`
  const scorer = startChild({
    name: 'The scorer',
    script: join(ROOT, 'scorer/main.ts'),
    env: { ...process.env, SCORER_PORT: String(scorerPort), SCORER_SECRET: secrets.SCORER_SECRET },
    onOutput: heard,
  })
  const edge = (at: number, folder: string, SCORER_URL: string) =>
    startEdge({
      port: at,
      dataDir: join(dataDir, folder),
      env: {
        ...secrets,
        SCORER_URL,
        STRIPE_WEBHOOK_SECRET: 'whsec_canary',
        ...(bridge && { UPSTASH_REDIS_REST_URL: bridge.url, UPSTASH_REDIS_REST_TOKEN: bridge.token }),
      },
      logLevel: 'log',
      onOutput: heard,
    })
  for (const folder of ['edge', 'edge-with-parrot']) await mkdir(join(dataDir, folder))
  const first = await edge(port, 'edge', scorerUrl)
  const parrotUrl = `http://127.0.0.1:${(parrot.address() as AddressInfo).port}`
  const second = await edge(parrotPort, 'edge-with-parrot', parrotUrl)
  children.push(scorer, first, second)
  url = `http://127.0.0.1:${port}`
  urlWithParrot = `http://127.0.0.1:${parrotPort}`
  await Promise.all([healthy(scorer, scorerUrl), healthy(first, url), healthy(second, urlWithParrot)])
  const keys = await createDemoAccount(url, secrets.ADMIN_SECRET, dataDir)
  given.auth = `Bearer ${keys.standard}`
  given.authPlayground = `Bearer ${keys.playground}`
  given.authWithoutCredit = `Bearer ${await keyWithoutCredit(url, secrets.ADMIN_SECRET)}`
}, 240_000)

afterAll(async () => {
  await Promise.all(children.map(child => child.stop()))
  parrot?.close()
  await bridge?.close()
  await redis?.stop()
  await rm(dataDir, { recursive: true, force: true })
}, 60_000)

describe('nothing of a request remains', () => {
  it('after it is answered', async () => {
    for (const visit of successes(given)) {
      const answer = await pay(url, visit)
      expect(`${visit.name}: ${answer.status}`).toBe(`${visit.name}: ${visit.expect}`)
      expect(leaksInTexts(visit.name, [answer.text], [secret])).toEqual([])
    }
    expect(await leaksInTheEnd()).toEqual([])
  }, 240_000)

  it('after it is refused', async () => {
    for (const visit of failures(given)) {
      const answer = await pay(url, visit)
      expect([visit.expect].flat().map(status => `${visit.name}: ${status}`)).toContain(
        `${visit.name}: ${answer.status}`,
      )
      const unsaid = visit.naming ? [secret] : [secret, named]
      expect(leaksInTexts(visit.name, [answer.text], unsaid)).toEqual([])
    }
    expect(await leaksInTheEnd()).toEqual([])
  }, 240_000)

  it('after the scorer answers with nonsense that repeats it, or goes away', async () => {
    const parroted = await createDemoAccount(
      urlWithParrot,
      (await localSecrets(dataDir)).ADMIN_SECRET,
      dataDir,
    )
    const [visit] = successes({ ...given, auth: `Bearer ${parroted.standard}` })
    if (visit === undefined) throw new Error('no visit')
    expect(await pay(urlWithParrot, visit)).toMatchObject({ status: 503 })
    parrot.closeAllConnections()
    await new Promise(resolve => parrot.close(resolve))
    const answer = await pay(urlWithParrot, visit)
    expect(answer.status).toBe(503)
    expect(leaksInTexts('503', [answer.text], [secret, named])).toEqual([])
    expect(await leaksInTheEnd()).toEqual([])
  }, 60_000)
})

describe('a leak would be found', () => {
  const dresses = dressesOf('Canary0123456789abcdef').map(({ dress }) => dress)

  it.each(dresses)('in a file, a log or an answer: %s', async dress => {
    const bytes = dressesOf(secret).find(each => each.dress === dress)?.bytes ?? Buffer.alloc(0)
    const file = join(dataDir, 'edge', 'planted')
    await writeFile(file, Buffer.concat([Buffer.from('before '), bytes, Buffer.from(' after')]))
    expect(await leaks()).toMatchObject([{ where: file }])
    await rm(file)
    logs.push(`before ${bytes.toString('latin1')} after`)
    expect(await leaks()).toMatchObject([{ where: expect.stringContaining('log') }])
    logs.pop()
    expect(await leaks()).toEqual([])
  })

  it('in Redis', async ({ skip }) => {
    if (bridge === undefined) return skip()
    bridge.seen.push(['set', 'k', secret])
    expect(await leaks()).toMatchObject([{ where: expect.stringContaining('Redis') }])
    bridge.seen.pop()
  })

  it('because the places that are searched are the ones that are written', async () => {
    for (const visit of successes(given)) await pay(url, visit)
    await written()
    // The request's line is in the log, its row on disk and its count in Redis. Only its content is missing.
    expect(logs.join('')).toContain('"path":"/v1/decisions"')
    expect((await leaksInFolder(join(dataDir, 'edge'), [SNAPSHOT])).length).toBeGreaterThan(0)
    if (bridge) expect(bridge.seen.flat().join(' ')).toContain('decider:tokens:')
  })
})

const leaksInTheEnd = async (): Promise<Leak[]> => {
  await written()
  return leaks()
}

/** Activity and the log are written a little after the answer. */
const written = () => new Promise(resolve => setTimeout(resolve, 1_500))

/** Everything the service has written, logged, counted or sent on. */
const leaks = async (): Promise<Leak[]> => {
  const metrics = await fetch(`${scorerUrl}/metrics`).then(answer => answer.text())
  const canaries = [secret, named]
  return [
    ...leaksInTexts('log', [logs.join('')], canaries),
    ...leaksInTexts('metrics', [metrics], canaries),
    ...leaksInTexts('Redis', bridge?.seen.flat() ?? [], canaries),
    ...(await leaksInFolder(dataDir, canaries)),
    ...(await leaksInFolder(join(ROOT, '.wrangler'), canaries)),
  ]
}

/** Status 0 stands for a connection that was closed before the answer could be read. */
type Paid = { status: number; text: string }

const pay = async (base: string, visit: Visit, again = true): Promise<Paid> => {
  const { method = 'GET', path, headers = {}, body } = visit
  try {
    const answer = await fetch(`${base}${path}`, { method, headers, ...(body !== undefined && { body }) })
    const head = [...answer.headers].map(header => header.join(': ')).join('\n')
    return { status: answer.status, text: head + (await answer.text()) }
  } catch {
    // After a body that was too large, its connection may be closed as the next visit starts to use it.
    return again ? pay(base, visit, false) : { status: 0, text: '' }
  }
}

const keyWithoutCredit = async (base: string, admin: string): Promise<string> => {
  const { call } = await connect({ DECIDER_ADMIN_SECRET: admin }, base)
  const { id } = await call('POST', '/accounts', {})
  return (await call('POST', `/accounts/${id}/keys`, {})).key
}

/** Stands in for a scorer and repeats whatever it is sent. */
const startParrot = async (): Promise<Server> => {
  const health = JSON.stringify(await scorerThatPrefersTheFirst().health())
  const server = createServer(async (request, response) => {
    const said = await text(request)
    response.end(request.url === '/healthz' ? health : said)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return server
}
