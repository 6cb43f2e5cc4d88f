import { DEFAULT_MODEL } from '../../../../src/decision/request.ts'
import { writtenText } from '../../../../src/decision/unit.ts'
import { openai as itsShape } from '../../../../src/dialects/openai/openai.ts'
import { isArray, isObject, type Json, type JsonObject, objectOf } from '../../../../src/json/json.ts'
import { objectIn } from '../../service/fields.ts'
import { canonicalQuestions } from './questions.ts'
import { literal } from './typescript.ts'

/** The request in the shape of OpenAI's Decisions API, in which `/openai/v1` also answers. */
export const openai = (request: JsonObject, origin: string): string => {
  refuseWhatHasNoPlace(request)
  const body = objectOf({
    model: request.get('model') ?? DEFAULT_MODEL,
    input: request.get('state'),
    questions: [...canonicalQuestions(request)].map(([name, question]) => questionOf(name, question)),
  })
  // Throws what that API would refuse: a choice of one option, for example.
  itsShape.read(body)
  return `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${origin}/openai/v1',
  apiKey: process.env.DECIDER_API_KEY ?? '',
})

const { answers } = await client.decisions.create(${literal(body)})

console.log(answers)
`
}

/** Without it the copied code would run but answer differently from the page. */
const refuseWhatHasNoPlace = (request: JsonObject): void => {
  if (typeof request.get('calibration') === 'string') throw lacking('has no calibration profile')
  if (request.get('order_invariant') === true) throw lacking('has no order invariance')
  // A path would lead nowhere there, and even without one the model reads the message around the JSON too.
  if (typeof request.get('state') !== 'string') throw lacking('takes JSON only inside a message')
}

const lacking = (what: string): Error => new Error(`OpenAI’s API ${what}. Copy as curl.`)

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
  const sides = objectIn(question, 'criteria')
  if ([...sides.values()].some(side => side !== null)) throw lacking('cannot say what yes and no mean')
  return objectOf({ type: 'predicate', name, instructions })
}

/** This shape has no place for structured wording, so it is sent as the text that the model is given of it. */
const wording = (value: Json): string => (value === null ? '' : writtenText(value))
