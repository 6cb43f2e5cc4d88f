import type { Context } from 'hono'
import * as v from 'valibot'
import { cut } from '../decision/cut.ts'
import { isObject } from '../json/json.ts'
import { MAX_NODES } from '../json/reader.ts'
import { Problem } from '../problem.ts'
import { documentIn, encodingOf } from './body.ts'
import { arriving } from './bytes.ts'

const MAX_SMALL_BODY_BYTES = 16_384

/**
 * Reads a small body for operating the service, as strictly as one of a decision: money may be at stake. The schema's
 * messages say what a field must be; nothing that was sent is repeated.
 */
export const readSmallBody = async <Schema extends v.GenericSchema>(
  c: Context,
  schema: Schema,
): Promise<v.InferOutput<Schema>> => {
  encodingOf(c.req.raw.headers, [])
  const bytes = await arriving(c.req.raw, MAX_SMALL_BODY_BYTES)
  return check(schema, bytes.length === 0 ? {} : plainObjectIn(bytes))
}

/** No route takes as many parameters. */
const MAX_PARAMETERS = 16

/**
 * Checks query parameters the same way. One that is given twice is refused: only the first would count. Of more than any
 * route takes, one is unknown, so the rest is not looked at: V8 hashes a name of digits by its value, and thousands that
 * were chosen to collide would each be compared with all before it, even those of other requests.
 */
export const readQuery = <Schema extends v.GenericSchema>(
  c: Context,
  schema: Schema,
): v.InferOutput<Schema> => {
  const sent = new Map<string, string>()
  for (const [name, value] of new URL(c.req.url).searchParams) {
    if (name === '') throw new Problem('invalid_schema', 'A query parameter must have a name.')
    if (sent.has(name)) throw misuseOf(name, 'must be given only once')
    sent.set(name, value)
    if (sent.size > MAX_PARAMETERS) break
  }
  return check(schema, Object.fromEntries(sent))
}

/** A parameter that would be ignored is refused: who sends `key_id` must not take the sum of all keys for one's. */
export const NoParameters = v.strictObject({})

/** With plain values, as the schemas expect them. Whatever these could not tell, such as a repeated key, is refused. */
const plainObjectIn = (bytes: Uint8Array): unknown => {
  if (!isObject(documentIn({ kind: 'read', bytes }, MAX_NODES).json)) {
    throw new Problem('invalid_schema', 'The body must be a JSON object.', { param: 'body' })
  }
  return JSON.parse(new TextDecoder().decode(bytes))
}

const check = <Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> => {
  const result = v.safeParse(schema, value, { abortEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  const field = v.getDotPath(issue) ?? 'body'
  if (field === '') {
    throw new Problem('invalid_schema', 'body must not hold a field without a name.', { param: 'body' })
  }
  throw misuseOf(field, ruleOf(issue))
}

const misuseOf = (field: string, rule: string): Problem => {
  const param = cut(field)
  return new Problem('invalid_schema', `${param} ${rule}.`, { param })
}

/** A strict object's own issues quote the unknown or missing key; the schemas' messages quote nothing. */
const ruleOf = (issue: v.BaseIssue<unknown>): string => {
  if (issue.kind !== 'schema' || issue.type !== 'strict_object') return issue.message
  return issue.expected === 'never' ? 'is not a known field' : 'is required'
}
