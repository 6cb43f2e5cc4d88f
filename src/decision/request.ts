import * as v from 'valibot'
import { MAX_QUESTIONS } from '../../scorer/limits.ts'
import { isObject, type Json, type JsonObject } from '../json/json.ts'
import { attempt, type BrokenRule, conform, Misfit, misfitOf } from './misfit.ts'
import { ANY_CONTENT, Question, required } from './question.ts'
import { readQuestions } from './questions.ts'
import { warningsAbout } from './unknown-fields.ts'

export const DEFAULT_MODEL = 'decider-1'

export const State: v.GenericSchema<unknown, Exclude<Json, null>> = v.pipe(
  v.custom<Exclude<Json, null>>(
    value => value !== undefined && value !== null,
    required('must be a string, an object, an array, a number or a boolean'),
  ),
  v.metadata({ anyOf: [...ANY_CONTENT, { type: 'number', format: 'double' }, { type: 'boolean' }] }),
)

/** The wire format of the request in its canonical form. */
export const DecisionBody = v.object({
  state: State,
  questions: v.pipe(v.map(v.string(), Question), v.minSize(1), v.maxSize(MAX_QUESTIONS)),
  model: v.optional(v.string('must be a string'), DEFAULT_MODEL),
  calibration: v.nullish(v.string('must be a string or null'), null),
  order_invariant: v.optional(v.boolean('must be a boolean'), false),
})
const Fields = v.omit(DecisionBody, ['questions'])

type Wire = v.InferOutput<typeof DecisionBody>
export type DecisionRequest = Pick<Wire, 'state' | 'calibration'> & {
  questions: ReadonlyMap<string, Question>
  orderInvariant: boolean
  warnings: readonly string[]
}

/** Reads a body of the native API, aliases included. Throws the Problem of the first broken rule. */
export const readDecisionRequest = (body: Json): DecisionRequest => {
  if (!isObject(body)) throw new Misfit(['body'], 'must be a JSON object')
  const sent = {
    state: sentState(body),
    model: body.get('model'),
    calibration: body.get('calibration'),
    order_invariant: body.get('order_invariant'),
  }
  const faults: BrokenRule[] = []
  const fields = attempt(faults, () => conform(Fields, sent, []))
  const questions = attempt(faults, () => readQuestions(body.get('questions'), ['questions']))
  if (fields === null || questions === null) throw misfitOf(faults)
  return {
    state: fields.state,
    questions,
    calibration: fields.calibration,
    orderInvariant: fields.order_invariant,
    warnings: [
      ...(body.has('state') && body.has('input') ? [INPUT_IGNORED] : []),
      ...warningsAbout(body, FIELDS),
    ],
  }
}

/** The state under either of its names; `state` wins. */
export const sentState = (body: JsonObject): Json | undefined =>
  body.has('state') ? body.get('state') : body.get('input')

/** The model that a body of any API asks for, read before anything is checked: an unknown one is refused first. */
export const requestedModel = (body: Json): string => {
  const model = isObject(body) ? body.get('model') : undefined
  return typeof model === 'string' ? model : DEFAULT_MODEL
}

const FIELDS = [...Object.keys(DecisionBody.entries), 'input']
const INPUT_IGNORED = 'input was ignored because state is given'
