import { attempt, type BrokenRule, conform, Misfit, type Path } from '../decision/misfit.ts'
import { type Question, REQUIRED } from '../decision/question.ts'
import { signatureOf } from '../decision/question-signature.ts'
import { signaturePlaces } from '../decision/question-wording.ts'
import { keyedQuestions, readQuestion } from '../decision/questions.ts'
import { State, sentState } from '../decision/request.ts'
import { warningsAbout } from '../decision/unknown-fields.ts'
import { isArray, isObject, type Json, type JsonObject, numberOf } from '../json/json.ts'
import { copyOf, KeyedByCaller } from '../json/keyed-by-caller.ts'
import { compact } from '../json/writer.ts'
import { present } from '../present.ts'
import { Problem } from '../problem.ts'
import { type Label, readLabel } from './label.ts'
import { MAX_EXAMPLES, MIN_EXAMPLES, MIN_LABELS } from './limits.ts'
import { Settings } from './settings.ts'

/** A question as asked in one or more examples. Equal ones are one object, whose signature is made once. */
export type Asked = { question: Question; signature: string; places: readonly number[] }
export type Labelled = { asked: Asked; label: Label }
export type Example = { state: Exclude<Json, null>; questions: ReadonlyMap<string, Labelled> }

export type CalibrationRequest = {
  targetError: number
  /** Whether to fit an offset for each option besides the temperature. */
  offsets: boolean
  /** Whether the report should include the data to draw it. */
  curves: boolean
  examples: readonly Example[]
  warnings: readonly string[]
}

/** Reads the body of a calibration, aliases included. Throws the Problem of the first broken rule. */
export const readCalibrationRequest = (body: Json): CalibrationRequest => {
  if (!isObject(body)) throw new Misfit(['body'], 'must be a JSON object')
  const examples = countedExamples(body.get('examples'))
  const target = body.get('target_error')
  const sent = {
    model: body.get('model'),
    target_error: numberOf(target) ?? target,
    offsets: body.get('offsets'),
    curves: body.get('curves'),
  }
  const { target_error: targetError, offsets, curves } = conform(Settings, sent, [])
  const read = readExamples(examples)
  refuseTooFewLabels(read)
  return { targetError, offsets, curves, examples: read, warnings: warningsAbout(body, FIELDS) }
}

const countedExamples = (examples: Json | undefined): readonly Json[] => {
  if (examples === undefined) throw new Misfit(['examples'], REQUIRED)
  if (!isArray(examples)) throw new Misfit(['examples'], 'must be an array')
  if (examples.length < MIN_EXAMPLES) {
    throw new Misfit(
      ['examples'],
      `must hold at least ${MIN_EXAMPLES} examples, not ${examples.length}`,
      'too_few_examples',
    )
  }
  if (examples.length > MAX_EXAMPLES) {
    // Without their number: of a body over the size limit, not all were read.
    throw new Misfit(['examples'], `must hold at most ${MAX_EXAMPLES} examples`, 'too_many_examples')
  }
  return examples
}

/** A refusal counts the examples at fault besides its own: one may be a slip, hundreds are a misunderstanding. */
export const readExamples = (examples: readonly Json[]): readonly Example[] => {
  const interned = new KeyedByCaller<Asked>()
  const read: Example[] = []
  const faults: BrokenRule[] = []
  for (const [index, example] of examples.entries()) {
    attempt(faults, () => read.push(readExample(example, ['examples', index], interned)))
  }
  if (faults.length === 0) return read
  const { path, rule, code } = present(faults[0], 'a fault')
  const others = examples.length - read.length - 1
  // Of a body over the size limit only a part was read, and only a number of questions or options is refused in it.
  const counted = others > 0 && code === 'invalid_schema'
  throw new Misfit(path, counted ? `${rule}; other examples at fault: ${others}` : rule, code)
}

const readExample = (example: Json, path: Path, interned: Map<string, Asked>): Example => {
  if (!isObject(example)) throw new Misfit(path, 'must be an object of state and questions')
  const state = conform(State, sentState(example), [...path, 'state'])
  const questions = new KeyedByCaller<Labelled>()
  const above = [...path, 'questions']
  for (const [id, labelled] of keyedQuestions(example.get('questions'), above)) {
    const at = [...above, id]
    const asked = readAsked(labelled, at, interned)
    questions.set(id, { asked, label: readLabel(labelled.get('label'), asked.question, [...at, 'label']) })
  }
  return { state, questions }
}

const readAsked = (labelled: JsonObject, path: Path, interned: Map<string, Asked>): Asked => {
  const sent = copyOf(labelled)
  sent.delete('label')
  const text = compact(sent)
  const known = interned.get(text)
  if (known !== undefined) return known
  const question = readQuestion(sent, path, 'type, instructions, criteria and label')
  const asked = { question, signature: signatureOf(question), places: signaturePlaces(question) }
  interned.set(text, asked)
  return asked
}

/** How many examples label each question. An example that asks it under two ids labels it once. */
export const labelledExamples = (examples: readonly Example[]): Map<string, number> => {
  const labelled = new Map<string, number>()
  for (const { questions } of examples) {
    for (const signature of new Set([...questions.values()].map(({ asked }) => asked.signature))) {
      labelled.set(signature, (labelled.get(signature) ?? 0) + 1)
    }
  }
  return labelled
}

const refuseTooFewLabels = (examples: readonly Example[]): void => {
  for (const count of labelledExamples(examples).values()) if (count >= MIN_LABELS) return
  throw new Problem(
    'too_few_examples_per_question',
    `at least ${MIN_LABELS} examples must label the same question; questions are the same if their type, instructions and criteria are`,
    { param: 'examples' },
  )
}

const FIELDS = ['examples', ...Object.keys(Settings.entries)]
