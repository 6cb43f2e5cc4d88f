// A request of TypeSafe's System One API (OpenAPI 0.2.0, typesafe-sdk 0.7). It knows no aliases, and refuses what
// its server refuses: code that runs here must run there.
import * as v from 'valibot'
import { MAX_QUESTIONS } from '../../../scorer/limits.ts'
import { attempt, type BrokenRule, conform, Misfit, misfitOf, type Path } from '../../decision/misfit.ts'
import {
  ANY_CONTENT,
  ChoiceQuestion,
  type Content,
  isContent,
  NoulQuestion,
  ONE_OF_TYPES,
  QUESTION_BY_ID,
  type Question,
  REQUIRED,
  required,
  ScoreQuestion,
} from '../../decision/question.ts'
import { conformQuestion, refuseCount, refuseTooManyOptions } from '../../decision/questions.ts'
import { DEFAULT_MODEL, type DecisionRequest } from '../../decision/request.ts'
import { warningsAbout } from '../../decision/unknown-fields.ts'
import { isObject, type Json } from '../../json/json.ts'
import { KeyedByCaller } from '../../json/keyed-by-caller.ts'

export const MAX_CHOICES = 255
const NO_IMAGES = 'this service reads text and JSON, but no images'

const State = v.pipe(
  v.custom<Content>(isContent, required('must be a string, an object or an array')),
  v.metadata({ anyOf: ANY_CONTENT }),
)

export const SystemOneChoiceQuestion = v.strictObject(
  {
    ...ChoiceQuestion.entries,
    criteria: v.pipe(ChoiceQuestion.entries.criteria, v.maxSize(MAX_CHOICES)),
  },
  REQUIRED,
)

export const SystemOneQuestion = v.variant(
  'type',
  [SystemOneChoiceQuestion, NoulQuestion, ScoreQuestion],
  required(ONE_OF_TYPES),
)

export const SystemOneBody = v.object({
  state: State,
  model: v.optional(v.string('must be a string'), DEFAULT_MODEL),
  questions: v.pipe(v.map(v.string(), SystemOneQuestion), v.minSize(1), v.maxSize(MAX_QUESTIONS)),
  assets: v.nullish(v.never(`must be left out: ${NO_IMAGES}`)),
  x_calibration: v.nullish(v.string('must be a string or null'), null),
  x_order_invariant: v.optional(v.boolean('must be a boolean'), false),
})
const KNOWN_FIELDS = Object.keys(SystemOneBody.entries)
const Fields = v.omit(SystemOneBody, ['questions'])

export const readRequest = (body: Json): DecisionRequest => {
  if (!isObject(body)) throw new Misfit([], 'must be a JSON object')
  const sent = Object.fromEntries(Object.keys(Fields.entries).map(name => [name, body.get(name)]))
  const faults: BrokenRule[] = []
  const fields = attempt(faults, () => conform(Fields, sent, []))
  const questions = attempt(faults, () => readQuestions(body.get('questions')))
  if (fields === null || questions === null) throw misfitOf(faults)
  return {
    state: fields.state,
    questions,
    calibration: fields.x_calibration,
    orderInvariant: fields.x_order_invariant,
    warnings: warningsAbout(body, KNOWN_FIELDS),
  }
}

const readQuestions = (questions: Json | undefined): ReadonlyMap<string, Question> => {
  const at = ['questions']
  if (questions === undefined) throw new Misfit(at, REQUIRED)
  if (!isObject(questions)) throw new Misfit(at, 'must be an object from question id to question')
  refuseCount(questions.size, at)
  for (const [id, question] of questions) {
    if (isObject(question)) refuseTooManyOptions(question, [...at, id], MAX_CHOICES, ['criteria'])
  }
  const read = new KeyedByCaller<Question>()
  const faults: BrokenRule[] = []
  for (const [id, question] of questions) {
    attempt(faults, () => read.set(id, readQuestion(question, [...at, id])))
  }
  if (faults.length > 0) throw misfitOf(faults)
  return read
}

const readQuestion = (question: Json, path: Path): Question => {
  if (!isObject(question)) throw new Misfit(path, QUESTION_BY_ID)
  if (question.get('type') === 'box') throw new Misfit([...path, 'type'], `must not be box: ${NO_IMAGES}`)
  for (const name of question.keys()) {
    if (!QUESTION_FIELDS.includes(name)) {
      throw new Misfit(
        [...path, name],
        'is not a known field; a question has type, instructions and criteria',
      )
    }
  }
  return conformQuestion(SystemOneQuestion, Object.fromEntries(question), path)
}

const QUESTION_FIELDS = ['type', 'instructions', 'criteria']
