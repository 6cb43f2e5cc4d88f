import { type JsonObject, objectOf } from '../../../../src/json/json.ts'
import { KeyedByCaller } from '../../../../src/json/keyed-by-caller.ts'
import { compact } from '../../../../src/json/writer.ts'
import { canonicalQuestions } from './questions.ts'

/**
 * The request as one line of a file for a calibration. Each label is null, which a calibration refuses: filled in with
 * the model's own answers, the file would only measure the model against itself.
 */
export const labelled = (request: JsonObject): string => {
  const questions = new KeyedByCaller()
  for (const [id, question] of canonicalQuestions(request))
    questions.set(id, new Map([...question, ['label', null]]))
  return `${compact(objectOf({ state: request.get('state'), questions }))}\n`
}
