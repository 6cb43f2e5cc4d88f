// npm run bench:scorer: measures over HTTP what a scorer does on this machine with its real model. It starts one of its
// own, with the settings that npm run scorer would take. Other work on the machine disturbs times more than ratios, so
// the cases that are compared take turns.
import { rm } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import { threadMicroseconds } from '../../scripts/bench/thread-time.ts'
import { readCommandLine, wholeNumber } from '../../scripts/command-line.ts'
import { bypassProxy } from '../../scripts/service/proxy.ts'
import { STATE_MARKERS } from '../core/rendering/markers.ts'
import type { ScorerHealth, ScoreUnit } from '../protocol.ts'
import { startProcess } from '../testing/process.ts'
import { clientOf, SECRET, unit } from '../testing/scorer.ts'
import { MODELS_FOLDER } from '../testing/snapshot.ts'
import { freshState, question, three } from './load.ts'
import { measure, ms, report, timed, timesOf } from './measure.ts'
import { measurePeak } from './peak.ts'

const USAGE = `Usage: npm run bench:scorer
Measures a scorer of the shipped snapshot, which keeps encoded questions, with the SCORER_* variables that are set otherwise, in BENCH_ROUNDS rounds (default: 30).`
readCommandLine(USAGE, {})
const rounds = wholeNumber(process.env.BENCH_ROUNDS ?? '30', USAGE)
bypassProxy()
const cores = availableParallelism()
const CALLERS = 32
const LONGEST_STATE = 65_536
const LINEAR_FLOP_PER_TOKEN = 2 * 6 * (384 * 1152 + 384 * 384 + 2 * 384 * 1536)

/** Warm-up rounds: a service that runs for days has compiled its code. */
const WARM_UP = 15

const { child, folder, ...started } = await startProcess({
  ...process.env,
  SCORER_HOST: '127.0.0.1',
  SCORER_PORT: '0',
  SCORER_SECRET: SECRET,
  SCORER_MODELS: resolve(MODELS_FOLDER),
  // Keeps encoded questions, as an operator may choose to if the same questions are asked about many states.
  SCORER_QUESTION_LIFETIME_MS: '300000',
})
process.once('exit', () => child.kill())
// A signal alone would end the process without its 'exit'.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
const url = await started.url
if (url === null) throw new Error(started.output())
const scorer = clientOf(url)
const ask = (state: ScoreUnit['state'], questions: ScoreUnit['questions']) =>
  scorer.score(unit({ tenant: 'bench', state, questions }))

const { engine } = JSON.parse((await scorer.get('/healthz')).text) as ScorerHealth
const peak = await measurePeak(cores)
console.log(
  `${engine}; ${cores} cores, whose peak is ${gflops(peak.float32)} float32, ${gflops(peak.int8)} int8\n`,
)

const kept = freshState(300)
const asked = three()
const typical = await measure(
  {
    'typical request: 300-token state, 3 questions of 60': () => ask(freshState(300), three()),
    'new questions, cached state': () => ask(kept, three()),
    'new state, encoded questions': () => ask(freshState(300), asked),
    'cached state, encoded questions': () => ask(kept, asked),
  },
  rounds,
  WARM_UP,
)
for (const [name, times] of Object.entries(typical)) report(name, times)
const cold = Object.values(typical)[0]
const tokens = 300 + 3 * 60
const reached = (tokens * LINEAR_FLOP_PER_TOKEN) / ((cold?.least ?? Number.NaN) / 1000)
console.log(
  `linear layers alone: ${gflops(reached)}, ${percent(reached / peak.int8)} of the cores' int8 peak, ${percent(reached / peak.float32)} of float32\n`,
)

for (const size of [300, 8192]) {
  const state = freshState(size)
  const fresh = (count: number) => Array.from({ length: count }, () => question())
  const few = Math.max(2, Math.floor(rounds / (size > 1000 ? 10 : 6)))
  const times = await measure(
    {
      first: () => ask(freshState(size), fresh(3)),
      three: () => ask(state, fresh(3)),
      one: () => ask(state, fresh(1)),
      all: () => ask(state, fresh(128)),
    },
    few,
  )
  report(`${size}-token state, first request, 3 questions`, times.first)
  report(`${size}-token state cached, 3 new questions`, times.three)
  report(`${size}-token state cached, 128 new questions`, times.all)
  const each = (times.all.least - times.one.least) / 127
  console.log(
    `each further question ${ms(each)}: 1/${(times.first.least / each).toFixed(1)} of a first request\n`,
  )
}

const longest = freshState(LONGEST_STATE + STATE_MARKERS)
const whole = await timed(() => ask(longest, three()))
const again = await timed(() => ask(longest, three()))
console.log(`${LONGEST_STATE}-token state and 3 questions ${ms(whole)}; cached ${ms(again)}\n`)

/** Requests a second of callers who each ask again as soon as they are answered. */
const load = async (name: string, each: number, work: () => Promise<unknown>): Promise<number> => {
  const samples: number[] = []
  const taking = takenByHttpThread()
  const total = await timed(() =>
    Promise.all(
      Array.from({ length: CALLERS }, async () => {
        for (let i = 0; i < each; i++) samples.push(await timed(work))
      }),
    ),
  )
  report(`${CALLERS} callers at once, ${name}`, timesOf(samples))
  const taken = (takenByHttpThread() - taking) / samples.length
  if (taken > 0) console.log(`${ms(taken)} of each on the thread that answers HTTP`)
  return samples.length / (total / 1000)
}
const questions = 3 * (await load('typical requests', 6, () => ask(freshState(300), three())))
const resident = Math.round((await scorer.metric('resident_bytes')) / 2 ** 20)
console.log(`${questions.toFixed(1)} questions a second; ${resident} MiB resident\n`)

const brief = () => ask(freshState(10), asked)
for (let unheard = 0; unheard < 500; unheard++) await brief()
const requests = await load('10-token states, encoded questions', 60, brief)
console.log(`${requests.toFixed(0)} requests a second`)
child.kill()
await started.ended
await rm(folder, { recursive: true })

/** Milliseconds of CPU time so far, where the system counts them for each thread. */
function takenByHttpThread(): number {
  const { pid } = child
  return process.platform === 'linux' && pid !== undefined ? threadMicroseconds(pid, pid) / 1000 : Number.NaN
}
function gflops(flops: number): string {
  return `${(flops / 1e9).toFixed(0)} GFLOP/s`
}
function percent(share: number): string {
  return `${(100 * share).toFixed(0)}%`
}
