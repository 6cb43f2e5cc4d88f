// What a request costs the edge, in CPU time: the built Worker under workerd, every hop to the Gate and to a
// scorer on loopback included, beside a Worker that only says hello. `npm run bench:edge`, or with a word of
// what to measure: `npm run bench:edge -- KB`
import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decisionOf, hostileBodies } from './bodies.ts'
import { type Call, call, hangUp, repeat } from './load.ts'
import { serve, type WorkerdProcess } from './workerd.ts'

const FIRST_PORT = Number(process.env.BENCH_PORT ?? 9200)
const [EDGE_PORT, HELLO_PORT, SCORER_PORT] = [FIRST_PORT, FIRST_PORT + 1, FIRST_PORT + 2]
const ROOT = join(import.meta.dirname, '..', '..')
const AT_ONCE = 8
const ROUNDS = 8
const ADMIN_SECRET = 'the secret of a benchmark'
const GOAL_MICROSECONDS = 400
const GOAL_HOSTILE_MICROSECONDS = 30_000

type Cost = { microseconds: number; perSecond: number }

/** The best of several rounds: what else the machine does can only add to a round. */
const measure = async (worker: WorkerdProcess, what: Call, times: number, expected = 200): Promise<Cost> => {
  const best: Cost = { microseconds: Number.POSITIVE_INFINITY, perSecond: 0 }
  await repeat(what, times, AT_ONCE, expected)
  for (let round = 0; round < ROUNDS; round++) {
    const [cpu, start] = [worker.cpuMicroseconds(), performance.now()]
    await repeat(what, times, AT_ONCE, expected)
    const seconds = (performance.now() - start) / 1000
    best.microseconds = Math.min(best.microseconds, (worker.cpuMicroseconds() - cpu) / times)
    best.perSecond = Math.max(best.perSecond, times / seconds)
  }
  return best
}

const isWanted = (name: string): boolean => name.includes(process.argv[2] ?? '')

const newKey = async (url: string): Promise<string> => {
  const admin = async (method: string, path: string, body: object): Promise<{ id: string; key: string }> => {
    const headers = { authorization: `Bearer ${ADMIN_SECRET}`, 'content-type': 'application/json' }
    const answer = await call({
      url: `${url}/admin/v1${path}`,
      method,
      headers,
      body: Buffer.from(JSON.stringify(body)),
    })
    if (answer.status >= 300) throw new Error(`${path}: ${answer.body}`)
    return JSON.parse(answer.body)
  }
  const account = await admin('POST', '/accounts', { name: 'bench' })
  await admin('POST', `/accounts/${account.id}/top-up`, { amount_usd: '100000.00', reference: 'bench' })
  const { id, key } = await admin('POST', `/accounts/${account.id}/keys`, { name: 'bench' })
  const rates = { requests_per_second: 100_000, tokens_per_minute: 10_000_000_000 }
  await admin('PUT', `/accounts/${account.id}/keys/${id}/rates`, rates)
  return key
}

const dir = await mkdtemp(join(tmpdir(), 'bench-edge-'))
const scorer = spawn(process.execPath, [join(import.meta.dirname, 'stub-scorer.ts'), String(SCORER_PORT)], {
  stdio: 'inherit',
})
const running: WorkerdProcess[] = []
try {
  const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
  execFileSync(process.execPath, [wrangler, 'deploy', '--dry-run', '--env=', '--outdir', dir], {
    cwd: ROOT,
    stdio: 'pipe',
  })
  await writeFile(join(dir, 'hello.js'), 'export default { fetch: () => new Response("hello") }')
  const hello = await serve({
    name: 'hello',
    port: HELLO_PORT,
    dir,
    module: { path: 'hello.js', name: 'hello.js' },
  })
  running.push(hello)
  const edge = await serve({
    name: 'edge',
    port: EDGE_PORT,
    dir,
    module: { path: 'index.js', name: 'index.js' },
    bindings: {
      SCORER_URL: `http://127.0.0.1:${SCORER_PORT}`,
      MODEL_ALIASES: '{}',
      ADMIN_SECRET,
      SCORER_SECRET: `bench:${'A'.repeat(43)}`,
      TENANT_SECRET: 'bench',
      PROFILE_KEYS: `bench:${'A'.repeat(43)}`,
    },
    objects: { GATE: 'Gate', ACCOUNT: 'Account', ACTIVITY: 'Activity', DIRECTORY: 'Directory' },
  })
  running.push(edge)
  const headers = { authorization: `Bearer ${await newKey(edge.url)}`, 'content-type': 'application/json' }

  for (const [name, bytes, times] of [
    ['2 KB', 2_000, 500],
    ['200 KB', 200_000, 50],
  ] as const) {
    if (!isWanted(name)) continue
    const sent = { method: 'POST', headers, body: decisionOf(bytes) }
    const base = await measure(hello, { ...sent, url: hello.url }, times)
    const full = await measure(edge, { ...sent, url: `${edge.url}/v1/decisions` }, times)
    const own = full.microseconds - base.microseconds
    const verdict = bytes > 2_000 ? '' : `  (goal: at most ${GOAL_MICROSECONDS})`
    console.log(
      `${name.padEnd(7)} ${own.toFixed(0)} µs CPU beyond hello world's ${base.microseconds.toFixed(0)}, ` +
        `${full.perSecond.toFixed(0)} requests/s against ${base.perSecond.toFixed(0)}${verdict}`,
    )
  }
  for (const [name, body] of Object.entries(hostileBodies)) {
    if (!isWanted(name)) continue
    const { microseconds } = await measure(
      edge,
      { url: `${edge.url}/v1/decisions`, method: 'POST', headers, body },
      24,
      422,
    )
    const goal = GOAL_HOSTILE_MICROSECONDS / 1000
    console.log(
      `4 MB of ${name.padEnd(22)} ${(microseconds / 1000).toFixed(1)} ms CPU  (goal: at most ${goal})`,
    )
  }
  console.log(`${edge.residentMegabytes().toFixed(0)} MB resident at the end`)
} finally {
  hangUp()
  for (const worker of running) worker.stop()
  scorer.kill()
  await rm(dir, { recursive: true })
}
