import type * as v from 'valibot'
import { MAX_OPTIONS, MAX_QUESTIONS } from '../../scorer/limits.ts'
import { isArray, isObject, type Json, type JsonObject } from '../json/json.ts'
import { copyOf, KeyedByCaller } from '../json/keyed-by-caller.ts'
import { canonicalQuestion } from './aliases.ts'
import { conform, Misfit, type Path } from './misfit.ts'
import { QUESTION_BY_ID, Question, REQUIRED, TYPE_REQUIRED } from './question.ts'

/** The questions of a request by id, read and checked, in the caller's order. `path` is where they are. */
export const readQuestions = (questions: Json | undefined, path: Path): ReadonlyMap<string, Question> => {
  const keyed = keyedQuestions(questions, path)
  const read = new KeyedByCaller<Question>()
  for (const [id, question] of keyed) read.set(id, readQuestion(question, [...path, id]))
  return read
}

/** `fields` are those that a caller may send here, as a refusal lists them. */
export const readQuestion = (question: JsonObject, path: Path, fields?: string): Question => {
  const open = canonicalQuestion(question, path, fields)
  if (!question.has('type')) throw new Misfit([...path, 'type'], TYPE_REQUIRED)
  return conformQuestion(Question, open, path)
}

/** A question of known fields as the schema reads it. An object of a yes-or-no question's sides becomes plain first. */
export const conformQuestion = <S extends v.GenericSchema>(
  schema: S,
  open: { readonly [field: string]: Json | undefined },
  path: Path,
): v.InferOutput<S> => {
  const { type, criteria } = open
  const asked =
    type === 'noul' && criteria != null
      ? { ...open, criteria: sidesOf(criteria, [...path, 'criteria']) }
      : open
  return conform(schema, asked, path)
}

/** The questions by id, whether sent as a map or as an array, counted before anything in them is looked at. */
export const keyedQuestions = (questions: Json | undefined, path: Path): ReadonlyMap<string, JsonObject> => {
  if (questions === undefined) throw new Misfit(path, REQUIRED)
  if (!isObject(questions) && !isArray(questions)) {
    throw new Misfit(path, 'must be an object from question id to question, or an array of named questions')
  }
  refuseCount(isObject(questions) ? questions.size : questions.length, path)
  const keyed = isArray(questions) ? byName(questions, path) : byId(questions, path)
  for (const [id, question] of keyed) refuseTooManyOptions(question, [...path, id])
  return keyed
}

/** Throws if so many questions are too few or too many. */
export const refuseCount = (count: number, path: Path): void => {
  if (count === 0) throw new Misfit(path, 'must hold at least one question')
  if (count > MAX_QUESTIONS) {
    throw new Misfit(path, `must hold at most ${MAX_QUESTIONS} questions`, 'too_many_questions')
  }
}

const byId = (questions: JsonObject, path: Path): ReadonlyMap<string, JsonObject> => {
  for (const [id, question] of questions) {
    if (!isObject(question)) throw new Misfit([...path, id], QUESTION_BY_ID)
  }
  return questions as ReadonlyMap<string, JsonObject>
}

const byName = (questions: readonly Json[], path: Path): ReadonlyMap<string, JsonObject> => {
  const keyed = new KeyedByCaller<JsonObject>()
  for (const [index, item] of questions.entries()) {
    const at = [...path, index]
    if (!isObject(item)) throw new Misfit(at, 'must be an object')
    const question = copyOf(item)
    const [id, more] = [item.get('id'), item.get('name')].filter(name => name !== undefined && name !== null)
    if (more !== undefined) throw new Misfit(at, 'must be named once, by id or by name')
    if (typeof id !== 'string') throw new Misfit(at, 'must be named by a string, its id or name')
    if (keyed.has(id)) throw new Misfit(path, 'must not give two questions the same name')
    question.delete('id')
    question.delete('name')
    keyed.set(id, question)
  }
  return keyed
}

/** Throws if a choice has more than `most` options under one of these names. */
export const refuseTooManyOptions = (
  question: JsonObject,
  path: Path,
  most = MAX_OPTIONS,
  names = ['criteria', 'options', 'choices'],
): void => {
  // Of a body that was not read to its end, the type of the last question may be missing.
  if (question.has('type') && question.get('type') !== 'choice') return
  for (const name of names) {
    const options = question.get(name)
    const count = isObject(options)
      ? options.size
      : isArray(options) && name !== 'criteria'
        ? options.length
        : 0
    if (count > most) {
      throw new Misfit([...path, 'criteria'], `must hold at most ${most} options`, 'too_many_options')
    }
  }
}

const sidesOf = (criteria: Json, path: Path): { true?: Json; false?: Json } => {
  if (!isObject(criteria))
    throw new Misfit(path, 'must be null or an object with no keys other than true and false')
  const sides: { true?: Json; false?: Json } = {}
  for (const [side, description] of criteria) {
    if (side !== 'true' && side !== 'false')
      throw new Misfit(path, 'must have no keys other than true and false')
    sides[side] = description
  }
  return sides
}
