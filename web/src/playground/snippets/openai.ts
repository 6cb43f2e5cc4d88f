import { openai as itsShape } from '../../../../src/dialects/openai/openai.ts'
import { isArray, isObject, type Json, type JsonObject, objectOf } from '../../../../src/json/json.ts'
import { compact } from '../../../../src/json/writer.ts'
import { objectIn } from '../../service/fields.ts'
import { canonicalQuestions } from './questions.ts'
import { literal, notesOn } from './typescript.ts'

/** The request in the shape of OpenAI's Decisions API, in which `/openai/v1` also answers. */
export const openai = (request: JsonObject, origin: string): string => {
  refuseWhatHasNoPlace(request)
  const body = objectOf({
    model: request.get('model') ?? 'decider-1',
    input: inputOf(request.get('state') ?? null),
    questions: [...canonicalQuestions(request)].map(([name, question]) => questionOf(name, question)),
  })
  // Throws what that API would refuse: a choice of one option, for example.
  itsShape.read(body)
  return `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${origin}/openai/v1',
  apiKey: process.env.DECIDER_API_KEY ?? '',
})

${notesOn(body)}const { answers } = await client.decisions.create(${literal(body)})

console.log(answers)
`
}

/** Without them the copied code would run but answer differently from the page. */
const refuseWhatHasNoPlace = (request: JsonObject): void => {
  if (typeof request.get('calibration') === 'string')
    throw new Error('OpenAI’s API has no calibration profile. Copy as curl.')
  if (request.get('order_invariant') === true)
    throw new Error('OpenAI’s API has no order invariance. Copy as curl.')
}

/** A text is sent as it is; an object as a JSON part of a message. */
const inputOf = (state: Json): Json => {
  if (typeof state === 'string') return state
  const isData = isObject(state) || (isArray(state) && state.every(isObject))
  const part = isData
    ? objectOf({ type: 'input_json', data: state })
    : objectOf({ type: 'input_text', text: compact(state) })
  return [objectOf({ role: 'user', content: [part] })]
}

const questionOf = (name: string, question: JsonObject): Json => {
  const criteria = question.get('criteria') ?? null
  const instructions = wording(question.get('instructions') ?? null)
  if (isObject(criteria) && question.get('type') === 'choice') {
    const choices = [...criteria].map(([value, description]) =>
      objectOf({ value, description: description === null ? undefined : wording(description) }),
    )
    return objectOf({ type: 'choice', name, instructions, choices })
  }
  if (isArray(criteria)) {
    const levels = criteria.map(level => objectOf({ label: wording(level) }))
    return objectOf({ type: 'score', name, instructions, levels })
  }
  return objectOf({ type: 'predicate', name, instructions: statement(question) })
}

/** That shape has no field for what yes and no mean, so the statement says it. */
const statement = (question: JsonObject): string => {
  const sides = objectIn(question, 'criteria')
  const meaning = (['true', 'false'] as const).flatMap(side => {
    const text = wording(sides.get(side) ?? null)
    return text === '' ? [] : [`${side === 'true' ? 'Yes' : 'No'}: ${text}`]
  })
  return [wording(question.get('instructions') ?? null), ...meaning].join('\n')
}

/** This shape has no place for structured wording, so it is sent as JSON text. */
const wording = (value: Json): string =>
  typeof value === 'string' ? value : value === null ? '' : compact(value)
