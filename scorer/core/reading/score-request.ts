import * as v from 'valibot'
import { MAX_LEVELS, MAX_OPTIONS, MAX_QUESTIONS, MIN_LEVELS } from '../../limits.ts'
import { parseJson } from '../../parse-json.ts'
import { MAX_UNITS, type Refusal, type ScoreRequest } from '../../protocol.ts'

const Text = v.nullable(v.string())
const Question = v.variant('type', [
  v.object({
    type: v.literal('choice'),
    instructions: Text,
    options: v.pipe(v.array(v.strictTuple([v.string(), Text])), v.minLength(1), v.maxLength(MAX_OPTIONS)),
  }),
  v.object({ type: v.literal('noul'), instructions: Text, sides: v.strictTuple([Text, Text]) }),
  v.object({
    type: v.literal('score'),
    instructions: Text,
    levels: v.pipe(v.array(v.string()), v.minLength(MIN_LEVELS), v.maxLength(MAX_LEVELS)),
  }),
])
const Unit = v.object({
  tenant: v.pipe(v.string(), v.nonEmpty()),
  snapshot: v.string(),
  state: v.object({ form: v.picklist(['text', 'json']), text: v.string() }),
  questions: v.pipe(v.array(Question), v.minLength(1), v.maxLength(MAX_QUESTIONS)),
  reverse: v.boolean(),
  checkOnly: v.exactOptional(v.boolean()),
})
const Request = v.object({ units: v.pipe(v.array(Unit), v.minLength(1), v.maxLength(MAX_UNITS)) })

/** The request in a body. A refusal names the place where it breaks the protocol, and never repeats its content. */
export const readScoreRequest = (body: Uint8Array): ScoreRequest | Refusal => {
  const parsed = parseJson(body)
  if (parsed === undefined) return { error: 'bad_request', message: 'body must be JSON in UTF-8' }
  const read = v.safeParse(Request, parsed, { abortEarly: true })
  if (read.success) return read.output
  // A path holds only the protocol's field names and indices, because unknown fields are not looked at.
  const path = v.getDotPath(read.issues[0]) ?? 'body'
  return { error: 'bad_request', message: `${path} breaks the protocol` }
}
