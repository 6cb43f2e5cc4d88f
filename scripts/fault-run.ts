// `npm run fault-run`: is anybody charged twice when the service dies in the middle of its work?
//
// Ten thousand decisions run against the built Worker while it is killed (`kill -9`) again and again and payments are
// repeated. Afterwards every account must add up: charged for no more than was asked and no less than was answered,
// except what the kills may have lost, which is reported and bounded.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readCommandLine, refuse, wholeNumber } from './command-line.ts'
import type { Client } from './decider/client.ts'
import { adminApi } from './faults/admin-api.ts'
import { type Customer, newCustomer } from './faults/customer.ts'
import { startScorer } from './faults/scorer.ts'
import { ROOT } from './root.ts'
import { startEdge } from './service/edge.ts'
import { healthy } from './service/health.ts'
import { freePort } from './service/ports.ts'
import { bypassProxy } from './service/proxy.ts'
import { localSecrets } from './service/secrets.ts'
import { buildWebIfStale } from './service/web-build.ts'

const USAGE = `Usage: npm run fault-run
Kills the Worker again and again during FAULT_REQUESTS decisions (default: 10000; at least 1000) and checks that the books add up.`
readCommandLine(USAGE, {})
const REQUESTS = wholeNumber(process.env.FAULT_REQUESTS ?? '10000', USAGE)
// Fewer may all be cut off, and then show nothing.
if (REQUESTS < 1_000) refuse('FAULT_REQUESTS must be at least 1000', USAGE)
const DEATHS = 4
const CUSTOMERS = 4
const AT_ONCE = 32
const DEADLINE_MS = 15 * 60_000
/** Usage reaches its Gate this long after the answer (`SETTLE_WITHIN_MS`), allowing for a busy machine. */
const ON_THE_WAY_MS = 1_000
/** Usage is on disk this long after the answer (with the Gate's `WRITE_AFTER_MS`). */
const UNWRITTEN_SECONDS = 1

bypassProxy()
await buildWebIfStale(ROOT)
const dataDir = await mkdtemp(join(tmpdir(), 'decider-faults-'))
const secrets = await localSecrets(dataDir)
const scorer = await startScorer()
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const edgeSettings = { port, dataDir, env: { ...secrets, SCORER_URL: scorer.url } }
const deadline = AbortSignal.timeout(DEADLINE_MS)

let edge = await startEdge(edgeSettings)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void edge.kill().then(() => process.exit(1)))
}
try {
  await healthy(edge, url, deadline)
  const api = await adminApi(url, secrets.ADMIN_SECRET)
  const customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => newCustomer(api)))

  let sent = 0
  let up = Promise.resolve()
  let fastest = 0
  const payments: Promise<void>[] = []
  const load = async (): Promise<void> => {
    while (sent < REQUESTS) {
      await up
      deadline.throwIfAborted()
      const customer = customers[sent++ % CUSTOMERS]
      await customer?.decide()
      if (sent % 500 === 0 && customer) payments.push(customer.pay())
    }
  }
  const dieNowAndThen = async (): Promise<void> => {
    for (let death = 1; death <= DEATHS; death++) {
      const before = { sent, at: Date.now() }
      while (sent < (REQUESTS * death) / (DEATHS + 1)) await pause(20)
      fastest = Math.max(fastest, ((sent - before.sent) * 1000) / (Date.now() - before.at))
      up = (async () => {
        await edge.kill()
        edge = await startEdge(edgeSettings)
        await healthy(edge, url, deadline)
      })()
      await up
    }
  }
  await Promise.all([dieNowAndThen(), ...Array.from({ length: AT_ONCE }, load)])
  await Promise.all(payments)
  await pause(ON_THE_WAY_MS)

  const closed = await Promise.all(customers.map(customer => closedBooks(api, customer)))
  const lossLimit = Math.ceil(DEATHS * (fastest * UNWRITTEN_SECONDS + AT_ONCE))
  const report = judge(closed, lossLimit)
  console.log(report.text)
  process.exitCode = report.holds ? 0 : 1
} finally {
  await edge.kill()
  scorer.stop()
  await rm(dataDir, { recursive: true, force: true })
}

/** What a customer has counted, and what the service has booked. */
type Closed = Customer['counts'] & {
  balance_nanodollars: number
  credits_nanodollars: number
  charges_nanodollars: number
}

/** A payment makes every key hand over its usage, so there is no need to wait for it. */
async function closedBooks(api: Client, { id, counts }: Customer): Promise<Closed> {
  counts.paid.add('closing')
  await api.call('POST', `/accounts/${id}/top-up`, { amount_usd: '1.00', reference: 'closing' })
  return { ...counts, ...(await api.call('GET', `/accounts/${id}`)) }
}

function judge(closed: readonly Closed[], lossLimit: number) {
  const sum = (pick: (each: Closed) => number) => closed.reduce((all, each) => all + pick(each), 0)
  const answered = sum(each => each.answered)
  /** Per decision: all are the same. */
  const cost = sum(each => each.nanodollars) / answered
  const charged = sum(each => each.charges_nanodollars) / cost
  const checks = {
    'every balance equals credits minus charges': closed.every(
      each => each.balance_nanodollars === each.credits_nanodollars - each.charges_nanodollars,
    ),
    'every payment is credited once, however often it was made': closed.every(
      each => each.credits_nanodollars === 5e9 + each.paid.size * 1e9,
    ),
    'no account is charged for more than was answered or cut off by a kill': closed.every(
      each => each.charges_nanodollars <= each.nanodollars + each.cut * cost,
    ),
    'what the kills lost stays within its bound': answered - charged <= lossLimit,
  }
  const lines = [
    `${REQUESTS} decisions, ${DEATHS} kills: ${answered} answered, ${sum(each => each.refused)} refused, ` +
      `${sum(each => each.cut)} cut off`,
    `charged for ${charged}; lost uncharged: ${Math.max(0, answered - charged)} (bound ${lossLimit})`,
    ...Object.entries(checks).map(([claim, holds]) => `${holds ? 'ok  ' : 'FAIL'}  ${claim}`),
  ]
  return { text: lines.join('\n'), holds: Object.values(checks).every(Boolean) && cost > 0 }
}
