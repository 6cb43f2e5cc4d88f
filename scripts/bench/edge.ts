// What a request costs the edge, in CPU time of its whole workerd process. Measures the built Worker, including every
// hop to the Gate and to a scorer on loopback, against a Worker that only says hello and one that only makes the hops
// (`floor.js`: no edge could cost less). Eight requests are under way at once; the load and the scorer run in their
// own processes. `npm run bench:edge` measures everything, `npm run bench:edge -- KB` only what has KB in its name.
import { execFileSync, spawn } from 'node:child_process'
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCommandLine, wholeNumber } from '../command-line.ts'
import { connect } from '../decider/client.ts'
import { ROOT } from '../root.ts'
import { bypassProxy } from '../service/proxy.ts'
import { buildWebIfStale } from '../service/web-build.ts'
import { decisionOf, hostileBodies } from './bodies.ts'
import { type Call, hangUp, repeat } from './load.ts'
import { serve, type WorkerdProcess } from './workerd.ts'

const USAGE = `Usage: npm run bench:edge -- [part of a name]     (such as KB)
Measures, on Linux, the CPU time of requests, all or those with such a name, on four ports from BENCH_PORT (default: 9200).`
const {
  positionals: [part = ''],
} = readCommandLine(USAGE, {}, 1)
const FIRST_PORT = wholeNumber(process.env.BENCH_PORT ?? '9200', USAGE)
if (process.platform !== 'linux') {
  console.error('This benchmark runs on Linux only.')
  process.exit(1)
}
const [EDGE_PORT, HELLO_PORT, SCORER_PORT] = [FIRST_PORT, FIRST_PORT + 1, FIRST_PORT + 2]
const FLOOR_PORT = FIRST_PORT + 3
const AT_ONCE = 8
const ROUNDS = 12
/** The compiler keeps working for some eight thousand requests; its cost until then is not the cost of a request. */
const WARM_UP = 20
const ADMIN_SECRET = 'the secret of a benchmark'
const GOAL_MICROSECONDS = 400
const GOAL_HOSTILE_MICROSECONDS = 30_000

type Case = { worker: WorkerdProcess; call: Call; expected?: number }
/** Microseconds per request in the best and the middle round, and the highest number of requests per second. */
type Cost = { best: number; middle: number; perSecond: number }

/** Warms up all cases, then takes turns: other load affects all alike, and the best rounds least. */
const measure = async (cases: Case[], times: number): Promise<Cost[]> => {
  for (const { call, expected = 200 } of cases) await repeat(call, WARM_UP * times, AT_ONCE, expected)
  const measured = cases.map(one => ({ ...one, costs: [] as number[], perSecond: 0 }))
  for (let round = 0; round < ROUNDS; round++) {
    for (const one of measured) {
      const { worker, call, expected = 200 } = one
      const [cpu, start] = [worker.cpuMicroseconds(), performance.now()]
      await repeat(call, times, AT_ONCE, expected)
      const seconds = (performance.now() - start) / 1000
      one.costs.push((worker.cpuMicroseconds() - cpu) / times)
      one.perSecond = Math.max(one.perSecond, times / seconds)
    }
  }
  return measured.map(({ costs, perSecond }) => {
    const [best = Number.NaN] = costs.sort((a, b) => a - b)
    return { best, middle: costs[costs.length >> 1] ?? Number.NaN, perSecond }
  })
}

const isWanted = (name: string): boolean => name.includes(part)

const newKey = async (url: string): Promise<string> => {
  const admin = await connect({ DECIDER_ADMIN_SECRET: ADMIN_SECRET }, url)
  const account = await admin.call('POST', '/accounts', { name: 'bench' })
  await admin.call('POST', `/accounts/${account.id}/top-up`, { amount_usd: '100000.00', reference: 'bench' })
  const { id, key } = await admin.call('POST', `/accounts/${account.id}/keys`, { name: 'bench' })
  const rates = { requests_per_second: 100_000, tokens_per_minute: 10_000_000_000 }
  await admin.call('PUT', `/accounts/${account.id}/keys/${id}/rates`, rates)
  return key
}

bypassProxy()
await buildWebIfStale(ROOT)
const dir = await mkdtemp(join(tmpdir(), 'bench-edge-'))
const scorer = spawn(process.execPath, [join(import.meta.dirname, 'stub-scorer.ts'), String(SCORER_PORT)], {
  stdio: 'inherit',
})
const running: WorkerdProcess[] = []
try {
  const wrangler = join(ROOT, 'node_modules/wrangler/bin/wrangler.js')
  execFileSync(process.execPath, [wrangler, 'deploy', '--dry-run', '--env=', '--outdir', dir], {
    cwd: ROOT,
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
    stdio: 'pipe',
  })
  await writeFile(join(dir, 'hello.js'), 'export default { fetch: () => new Response("hello") }')
  const hello = await serve({ name: 'hello', port: HELLO_PORT, dir, module: 'hello.js' })
  running.push(hello)
  const edge = await serve({
    name: 'edge',
    port: EDGE_PORT,
    dir,
    module: 'index.js',
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
  await copyFile(join(import.meta.dirname, 'floor.js'), join(dir, 'floor.js'))
  const floor = await serve({
    name: 'floor',
    port: FLOOR_PORT,
    dir,
    module: 'floor.js',
    bindings: { SCORER_URL: `http://127.0.0.1:${SCORER_PORT}` },
    objects: { GATE: 'Gate' },
  })
  running.push(floor)
  const headers = { authorization: `Bearer ${await newKey(edge.url)}`, 'content-type': 'application/json' }

  for (const [name, bytes, times] of [
    ['2 KB', 2_000, 400],
    ['200 KB', 200_000, 40],
  ] as const) {
    if (!isWanted(name)) continue
    const sent = { headers, body: decisionOf(bytes) }
    const [base, bare, full] = await measure(
      [
        { worker: hello, call: { ...sent, url: hello.url } },
        { worker: floor, call: { ...sent, url: floor.url } },
        { worker: edge, call: { ...sent, url: `${edge.url}/v1/decisions` } },
      ],
      times,
    )
    if (!base || !bare || !full) throw new Error('nothing was measured')
    const beyond = (cost: Cost) =>
      `${(cost.best - base.best).toFixed(0)} µs (middle round ${(cost.middle - base.middle).toFixed(0)})`
    const goal = bytes > 2_000 ? '' : `; goal: at most ${GOAL_MICROSECONDS}`
    console.log(
      `${name}: CPU beyond hello world's ${base.best.toFixed(0)} µs: a decision ${beyond(full)}${goal}; ` +
        `of which the hops alone ${beyond(bare)}`,
    )
    console.log(
      `${name}: requests per second: ${full.perSecond.toFixed(0)}, hops ${bare.perSecond.toFixed(0)}, ` +
        `hello ${base.perSecond.toFixed(0)}`,
    )
  }
  for (const [name, body] of Object.entries(hostileBodies)) {
    if (!isWanted(name)) continue
    const call = { url: `${edge.url}/v1/decisions`, headers, body }
    const [cost] = await measure([{ worker: edge, call, expected: 422 }], 16)
    const milliseconds = (cost?.best ?? Number.NaN) / 1000
    const goal = GOAL_HOSTILE_MICROSECONDS / 1000
    console.log(`4 MB of ${name.padEnd(22)} ${milliseconds.toFixed(1)} ms CPU  (goal: at most ${goal})`)
  }
  console.log(`${edge.residentMegabytes().toFixed(0)} MB resident at the end`)
} finally {
  hangUp()
  for (const worker of running) worker.stop()
  scorer.kill()
  await rm(dir, { recursive: true })
}
