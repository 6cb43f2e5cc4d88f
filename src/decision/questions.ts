import { copyOf, isArray, isObject, type Json, type JsonObject } from '../json/json.ts'
import { KeyedByCaller } from '../json/keyed-by-caller.ts'
import { Problem } from '../problem.ts'
import { canonicalQuestion } from './aliases.ts'
import { MAX_OPTIONS, Question } from './question.ts'
import { conform, violation } from './violation.ts'

export const MAX_QUESTIONS = 128

/** The questions of a request by id, read and checked, in the caller's order. `param` is where they stand. */
export const readQuestions = (questions: Json | undefined, param: string): ReadonlyMap<string, Question> => {
  const keyed = keyedQuestions(questions, param)
  const read = new Map<string, Question>()
  for (const [id, question] of keyed) read.set(id, readQuestion(question, `${param}.${id}`))
  return read
}

export const readQuestion = (question: JsonObject, param: string): Question => {
  const open = canonicalQuestion(question, param)
  const { type, criteria } = open
  const asked =
    type === 'noul' && criteria != null ? { ...open, criteria: sidesOf(criteria, `${param}.criteria`) } : open
  return conform(Question, asked, param)
}

/** Sent as a map or as an array: each question by its id, counted before anything in it is looked at. */
export const keyedQuestions = (
  questions: Json | undefined,
  param: string,
): ReadonlyMap<string, JsonObject> => {
  if (questions === undefined) throw violation(param, 'is required')
  if (!isObject(questions) && !isArray(questions)) {
    throw violation(param, 'must be an object from question id to question, or an array of named questions')
  }
  const count = isObject(questions) ? questions.size : questions.length
  if (count === 0) throw violation(param, 'must hold at least one question')
  if (count > MAX_QUESTIONS) {
    throw new Problem('too_many_questions', `${param} must hold at most ${MAX_QUESTIONS} questions`, {
      param,
    })
  }
  const keyed = isArray(questions) ? byName(questions, param) : byId(questions, param)
  for (const [id, question] of keyed) refuseTooManyOptions(question, `${param}.${id}`)
  return keyed
}

const byId = (questions: JsonObject, param: string): ReadonlyMap<string, JsonObject> => {
  const keyed = new KeyedByCaller<JsonObject>()
  for (const [id, question] of questions) {
    if (!isObject(question)) throw violation(`${param}.${id}`, 'must be an object')
    keyed.set(id, question)
  }
  return keyed
}

const byName = (questions: readonly Json[], param: string): ReadonlyMap<string, JsonObject> => {
  const keyed = new KeyedByCaller<JsonObject>()
  for (const [index, item] of questions.entries()) {
    const at = `${param}.${index}`
    if (!isObject(item)) throw violation(at, 'must be an object')
    const question = copyOf(item)
    const id = item.get('id') ?? item.get('name')
    if (item.has('id') && item.has('name')) throw violation(at, 'must be named once, by id or by name')
    if (typeof id !== 'string') throw violation(at, 'must be named by a string, its id or name')
    if (keyed.has(id)) throw violation(param, 'must not name two questions alike')
    question.delete('id')
    question.delete('name')
    keyed.set(id, question)
  }
  return keyed
}

const refuseTooManyOptions = (question: JsonObject, param: string): void => {
  if (question.get('type') !== 'choice') return
  for (const name of ['criteria', 'options', 'choices']) {
    const options = question.get(name)
    const count = isObject(options)
      ? options.size
      : isArray(options) && name !== 'criteria'
        ? options.length
        : 0
    if (count > MAX_OPTIONS) {
      const where = `${param}.criteria`
      throw new Problem('too_many_options', `${where} must hold at most ${MAX_OPTIONS} options`, {
        param: where,
      })
    }
  }
}

const sidesOf = (criteria: Json, param: string): { true?: Json; false?: Json } => {
  if (!isObject(criteria))
    throw violation(param, 'must be null or an object of no other keys than true and false')
  const sides: { true?: Json; false?: Json } = {}
  for (const [side, description] of criteria) {
    if (side !== 'true' && side !== 'false')
      throw violation(param, 'must have no other keys than true and false')
    sides[side] = description
  }
  return sides
}
