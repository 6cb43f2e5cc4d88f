import type { Context } from 'hono'
import * as v from 'valibot'
import { cut } from '../decision/cut.ts'
import { Problem } from '../problem.ts'
import { arriving } from './bytes.ts'

const MAX_SMALL_BODY_BYTES = 16_384

/**
 * Reads a small body for operating the service, where the order of keys means nothing. The schema's messages say what
 * a field must be; nothing that was sent is repeated. Bodies of decisions are read by `json/reader.ts`.
 */
export const readSmallBody = async <Schema extends v.GenericSchema>(
  c: Context,
  schema: Schema,
): Promise<v.InferOutput<Schema>> => {
  const bytes = await arriving(c.req.raw, MAX_SMALL_BODY_BYTES)
  return check(schema, bytes.length === 0 ? {} : parse(new TextDecoder().decode(bytes)))
}

/** Checks query parameters the same way. One that is given twice is refused: only the first would count. */
export const readQuery = <Schema extends v.GenericSchema>(
  c: Context,
  schema: Schema,
): v.InferOutput<Schema> => {
  for (const [name, values] of Object.entries(c.req.queries())) {
    if (values.length > 1) throw misuseOf(name, 'must be given only once')
  }
  return check(schema, c.req.query())
}

/** A parameter that would be ignored is refused: who sends `key_id` must not take the sum of all keys for one's. */
export const NoParameters = v.strictObject({})

const parse = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    // valibot accepts an array as an object.
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // The error would quote the body.
  }
  throw new Problem('invalid_schema', 'The body must be a JSON object.', { param: 'body' })
}

const check = <Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> => {
  const result = v.safeParse(schema, value, { abortEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  throw misuseOf(v.getDotPath(issue) ?? 'body', ruleOf(issue))
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
