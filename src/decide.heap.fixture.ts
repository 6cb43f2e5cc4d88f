// Run by decide.heap.test.ts in a process of its own with a capped heap: the largest decision, from the bytes of its
// body to those of its answer, except for the scorer itself.
import type { ScoreUnit, UnitQuestion } from '../scorer/protocol.ts'
import { decide } from './decide.ts'
import { native } from './dialects/native.ts'
import { documentIn } from './http/body.ts'
import { MAX_BODY_BYTES } from './http/body-limit.ts'
import { newVisit } from './http/every-response.ts'
import { jsonResponse } from './http/json-response.ts'
import { MAX_DECISION_NODES } from './json/reader.ts'
import { readAnswer } from './scorer/answer.ts'
import type { Scorer } from './scorer/scorer.ts'
import type { Services } from './services.ts'
import { scorerThatPrefersTheFirst } from './testing/scorer.ts'

const UTF8 = new TextEncoder()

/** As many questions and options as a request may have, with keys almost as long as they can then be. */
const body = (): Uint8Array => {
  const options = (question: number) =>
    Array.from({ length: 1_024 }, (_, option) => `"option number ${question} ${option}":null`)
  const questions = Array.from(
    { length: 128 },
    (_, question) => `"${question}":{"type":"choice","criteria":{${options(question)}}}`,
  )
  const bytes = UTF8.encode(`{"order_invariant":true,"state":"a","questions":{${questions}}}`)
  if (bytes.length > MAX_BODY_BYTES) throw new Error(`${bytes.length} bytes`)
  return bytes
}

const score: Scorer['score'] = async units =>
  readAnswer(UTF8.encode(JSON.stringify({ units: units.map(unitScored), runMs: 0 })), units)

const unitScored = ({ questions }: ScoreUnit) => ({
  kind: 'scored',
  stateTokens: 1,
  stateFramingTokens: 4,
  cached: false,
  questions: questions.map(question => ({ ...passOf(question), reversed: passOf(question) })),
})

const passOf = (question: UnitQuestion) => ({
  logits: question.type === 'choice' ? question.options.map((_, option) => Math.sin(option)) : [],
  questionTokens: 1,
  framingTokens: 1,
})

const services: Partial<Services> = {
  scorer: { ...scorerThatPrefersTheFirst(), score },
  modelAliases: new Map(),
  tenantTag: () => 'tenant',
  now: () => 0,
  randomBytes: count => new Uint8Array(count),
}
const { answer } = await decide(
  documentIn({ kind: 'read', bytes: body() }, MAX_DECISION_NODES),
  { dialect: native, services: services as Services, visit: newVisit('req_test', 0) },
  { keyId: 'key', accountId: 'account' },
)
const { byteLength } = await jsonResponse(answer).arrayBuffer()
process.stdout.write(`${byteLength} bytes`)
