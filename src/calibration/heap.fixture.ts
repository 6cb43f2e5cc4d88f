// Run by heap.test.ts in a process of its own with a capped heap: a whole calibration, from the bytes of its body
// to its answer, except for the scorer itself. With offsets, which take the most memory and time.
import type { ScoreUnit } from '../../scorer/protocol.ts'
import { usageOf } from '../decision/usage.ts'
import { MAX_BODY_BYTES } from '../http/body-limit.ts'
import { compact } from '../json/writer.ts'
import { sealProfile } from '../profiles/profile.ts'
import { newProfileKey } from '../profiles/profile-keys.ts'
import type { Scorer } from '../scorer/scorer.ts'
import { jsonIn } from '../testing/json.ts'
import { calibrate, profileOf } from './calibrate.ts'
import { writeCalibration } from './report.ts'
import { readCalibrationRequest } from './request.ts'
import { scoreAll } from './scoring.ts'
import { unitsOf } from './serve.ts'

/** Bodies close to one of the caps (bytes, keys and values, or arrays and objects), each in a different way. */
const bodies: Record<string, () => string> = {
  'long states': () =>
    body(5_000, index => `{"state":"${'x'.repeat(690)}${index}","questions":{"q":${noul('Is it?')}}}`),
  'many questions': () =>
    body(420, example => {
      const questions = Array.from({ length: 128 }, (_, q) => `"${q}":${noul(`${example % 4} ${q}`)}`)
      return `{"state":${example},"questions":{${questions}}}`
    }),
  'many options': () => body(285, example => choice(example, 1_024, example % 4)),
  'options that are never the same': () =>
    body(260, example => choice(example, 1_000, Math.max(0, example - 50))),
  'many long choices': () => body(5_000, example => choice(example, 47, 0)),
  'numbers with their digits': () =>
    body(200, example => `{"state":[${example}${',1.0'.repeat(2_960)}],"questions":{"q":${noul('Is it?')}}}`),
  // Two bytes a character, and labels that give rise to every doubt, each of which names the question.
  'long ids': () =>
    body(200, example => {
      const id = example < 2 ? `${example}й`.padEnd(1_900_000, 'x') : 'q'
      const question = `{"type":"choice","criteria":{"a":null,"b":null,"c":null},"label":"${example % 2 ? 'a' : 'b'}"}`
      return `{"state":${example >> 1},"questions":{"${id}":${question}}}`
    }),
  'structured states': () =>
    body(
      200,
      example => `{"state":[${example}${',{"a":[1]}'.repeat(240)}],"questions":{"q":${noul('Is it?')}}}`,
    ),
}

const choice = (state: number, count: number, kind: number): string => {
  const options = Array.from({ length: count }, (_, option) => `"${option}k${kind}":null`)
  const question = `{"type":"choice","criteria":{${options}},"label":"7k${kind}"}`
  return `{"state":${state},"questions":{"q":${question}}}`
}

const noul = (instructions: string): string => `{"type":"noul","instructions":"${instructions}","label":true}`

const body = (count: number, example: (index: number) => string): string => {
  const text = `{"offsets":true,"examples":[${Array.from({ length: count }, (_, index) => example(index))}]}`
  if (text.length > MAX_BODY_BYTES) throw new Error(`${text.length} bytes`)
  return text
}

const score: Scorer['score'] = async units => ({ units: units.map(unitScored), runMs: 0 })
const unitScored = ({ questions }: ScoreUnit) => ({
  kind: 'scored' as const,
  stateTokens: 1,
  stateFramingTokens: 4,
  cached: false,
  questions: questions.map(question => ({
    logits:
      question.type === 'choice' ? question.options.map((_, option) => Math.sin(option)) : [Math.random(), 0],
    questionTokens: 1,
    framingTokens: 7,
    reversed: null,
  })),
})

const text = (bodies[process.argv[2] ?? ''] ?? (() => ''))()
const request = readCalibrationRequest(jsonIn(text))
const scoring = {
  scorer: { score },
  requestId: 'req_test',
  now: () => 0,
  pause: async () => {},
  refuse: () => new Error('refused') as never,
}
const scored = await scoreAll(unitsOf(request, { tenant: 't', snapshot: 's' }), scoring)
const reports = [...calibrate(request, scored)]
const profile = sealProfile(profileOf('s', reports), newProfileKey('k'))
const answer = compact(writeCalibration({ request, snapshot: 's', profile, reports, usage: usageOf(scored) }))
process.stdout.write(
  `${profile.slice(0, 6)} ${reports.length} questions, ${answer.length} characters, ${Math.round(process.memoryUsage().heapUsed / 1e6)} MB, ${Math.round(performance.now())} ms`,
)
