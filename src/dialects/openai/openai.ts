// OpenAI's Decisions API, for its SDK with the base URL `…/openai/v1`.
import * as v from 'valibot'
import { cut } from '../../decision/cut.ts'
import type { Dialect } from '../../decision/dialect.ts'
import { Misfit, type Path } from '../../decision/misfit.ts'
import { refuseCount } from '../../decision/questions.ts'
import { warningsAbout } from '../../decision/unknown-fields.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../json/json.ts'
import { written } from './answer.ts'
import { posedOf } from './questions.ts'
import { refused } from './refusal.ts'
import { MAX_CHOICES, OpenAIDecisionBody } from './request.ts'
import { stateOf } from './state.ts'

export const openai: Dialect = {
  encodings: [],
  deadlineMs: 10_000,
  models: '/openai/v1/models',
  state: body => (isObject(body) ? body.get('input') : undefined),
  read(body) {
    if (!isObject(body)) throw new Misfit(['body'], 'must be a JSON object')
    refuseTooMany(body.get('questions'))
    const { input, questions } = checked(body)
    const posed = new Map(questions.map((question, index) => [String(index), posedOf(question, index)]))
    return {
      request: {
        state: stateOf(input),
        questions: new Map([...posed].map(([id, { question }]) => [id, question])),
        calibration: null,
        orderInvariant: false,
        warnings: warningsAbout(body, FIELDS),
      },
      write: decision => written(decision, posed),
    }
  },
  refuse: refused,
}

const FIELDS = Object.keys(OpenAIDecisionBody.entries)

/** Counted before anything in them is looked at. */
const refuseTooMany = (questions: Json | undefined): void => {
  if (!isArray(questions)) return
  refuseCount(questions.length, ['questions'])
  for (const [index, question] of questions.entries()) {
    const choices = isObject(question) ? question.get('choices') : undefined
    if (!isArray(choices) || choices.length <= MAX_CHOICES) continue
    const path = ['questions', index, 'choices']
    throw new Misfit(path, `must hold at most ${MAX_CHOICES} choices`, 'too_many_options')
  }
}

const checked = (body: JsonObject): v.InferOutput<typeof OpenAIDecisionBody> => {
  const result = v.safeParse(OpenAIDecisionBody, plainFields(body), { abortEarly: true })
  if (result.success) return result.output
  const { path, rule } = deepest(result.issues[0], [])
  throw new Misfit(path, rule)
}

const plainFields = (body: JsonObject): unknown =>
  Object.fromEntries(FIELDS.map(name => [name, plain(body.get(name))]))

/**
 * Known fields are read as plain objects; the content of a JSON part stays as it came. V8 gives a plain object an array
 * as long as the largest index among its names, up to a kilobyte for eleven bytes sent, so a name of digits is quoted.
 * It remembers every name for a while, and hashes those of more than 16,383 characters by their length alone: each would
 * be compared with all others of the last requests. So a name is cut.
 */
const plain = (value: Json | undefined): unknown => {
  if (isArray(value)) return value.map(plain)
  if (!isObject(value)) return value
  return Object.fromEntries(
    [...value].map(([name, member]) => [
      cut(/^\d+$/.test(name) ? `"${name}"` : name),
      name === 'data' ? member : plain(member),
    ]),
  )
}

/** Of the alternatives that failed, the one that got furthest explains best what is wrong. */
const deepest = (issue: v.BaseIssue<unknown>, above: Path): { path: Path; rule: string } => {
  const path = [...above, ...(issue.path ?? []).map(step => step.key as string | number)]
  const inner = (issue.issues ?? []).map(inside => deepest(inside, path))
  return inner.reduce((best, next) => (next.path.length > best.path.length ? next : best), {
    path,
    rule: issue.message,
  })
}
