// `npm run bench:calibration`: how long a calibration of 200, 1,000 and 5,000 short examples takes, compared with
// sending the same examples as decisions one after another. Needs a running service (DECIDER_URL, DECIDER_API_KEY).
import { requestCalibration } from '../calibrate/upload.ts'
import { readCommandLine, wholeNumber } from '../command-line.ts'
import { bypassProxy } from '../service/proxy.ts'
import { serviceUrl } from '../service-url.ts'

const USAGE = `Usage: npm run bench:calibration -- [number of examples …]     (default: 200 1000 5000)
Times calibrations on the running service at DECIDER_URL, with the key in DECIDER_API_KEY.`
const { positionals } = readCommandLine(USAGE, {}, Number.POSITIVE_INFINITY)
const SIZES = positionals.length > 0 ? positionals.map(size => wholeNumber(size, USAGE)) : [200, 1_000, 5_000]
/** Decisions timed for the comparison; larger numbers are extrapolated. */
const DECISIONS = 100

bypassProxy()
const url = serviceUrl(undefined, process.env)
const key = process.env.DECIDER_API_KEY ?? ''
const silent = { sent: () => {}, waiting: () => {}, asked: () => {}, end: () => {} }

const WORDS =
  'the order parcel came late broken refund please my card was charged twice app crashes on start thanks'.split(
    ' ',
  )
const sentence = (): string =>
  Array.from({ length: 12 }, () => WORDS[Math.floor(Math.random() * WORDS.length)]).join(' ')

const question = {
  type: 'choice',
  instructions: 'Which team?',
  criteria: { billing: null, shipping: null, technical: null },
}
const example = () => ({ state: sentence(), questions: { team: { ...question, label: 'billing' } } })

const decide = async (): Promise<void> => {
  const response = await fetch(`${url}/v1/decisions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ state: sentence(), questions: { team: question } }),
  })
  if (!response.ok) throw new Error(`decision: ${response.status}`)
  await response.arrayBuffer()
}

const refusal = await decide().then(() => null, String)
if (refusal !== null) {
  console.error(
    `No decision from ${url} (${refusal}). Start npm run dev and set DECIDER_API_KEY to the key it prints.`,
  )
  process.exit(1)
}
for (let warm = 0; warm < 10; warm++) await decide()
const start = performance.now()
for (let count = 0; count < DECISIONS; count++) await decide()
const msPerDecision = (performance.now() - start) / DECISIONS

console.log(`One decision after another: ${msPerDecision.toFixed(1)} ms each.\n`)
console.log('| examples | one calibration | per example | as decisions | times faster |')
console.log('|---|---|---|---|---|')
for (const size of SIZES) {
  const body = JSON.stringify({ examples: Array.from({ length: size }, example), target_error: 0.1 })
  const outcome = await requestCalibration({ url, key }, body, silent)
  if (outcome.kind === 'refused') throw new Error(`${outcome.status} ${outcome.code}: ${outcome.message}`)
  const asDecisions = (size * msPerDecision) / 1_000
  const cells = [
    size.toLocaleString('en'),
    `${outcome.seconds.toFixed(1)} s`,
    `${((1_000 * outcome.seconds) / size).toFixed(1)} ms`,
    `${asDecisions.toFixed(1)} s`,
    (asDecisions / outcome.seconds).toFixed(1),
  ]
  console.log(`| ${cells.join(' | ')} |`)
}
