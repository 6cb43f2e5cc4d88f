// The other APIs know neither our aliases nor every way to name a question, so they are given the questions as the
// service reads them.
import { canonicalQuestion } from '../../../../src/decision/aliases.ts'
import { keyedQuestions, readQuestion } from '../../../../src/decision/questions.ts'
import { type JsonObject, objectOf } from '../../../../src/json/json.ts'

/** Each question by its id, in canonical fields. Throws the error with which the service refuses a question. */
export const canonicalQuestions = (request: JsonObject): ReadonlyMap<string, JsonObject> => {
  const keyed = keyedQuestions(request.get('questions'), ['questions'])
  return new Map(
    [...keyed].map(([id, question]) => {
      const path = ['questions', id]
      readQuestion(question, path)
      return [id, objectOf(canonicalQuestion(question, path))]
    }),
  )
}
