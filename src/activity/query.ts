import * as v from 'valibot'
import { CURSOR_RULE, PageLimit, Time } from '../http/fields.ts'
import type { ActivityFilter, Position } from './filter.ts'

/** A position as callers carry it from page to page. */
export const writeCursor = ({ at, row }: Position): string => `${at.toString(36)}-${row.toString(36)}`

const Cursor = v.pipe(
  v.string(),
  v.regex(/^[0-9a-z]{1,10}-[0-9a-z]{1,10}$/, CURSOR_RULE),
  v.transform((text): Position => {
    const [at = '', row = ''] = text.split('-')
    return { at: Number.parseInt(at, 36), row: Number.parseInt(row, 36) }
  }),
)

const short = v.pipe(v.string(), v.maxLength(100, 'must be at most 100 characters'))

/** The query parameters of an activity page. */
export const ActivityParameters = v.strictObject({
  limit: PageLimit,
  cursor: v.optional(Cursor),
  from: v.optional(Time, '1970-01-01'),
  until: v.optional(Time, '9999-12-31'),
  request_id: v.optional(short),
  key_id: v.optional(short),
  path: v.optional(short),
  status: v.optional(
    v.pipe(v.string(), v.regex(/^[1-5](\d\d|xx)$/, 'must be a status such as "429" or "4xx"')),
  ),
  error_code: v.optional(short),
})

export const ActivityQuery = v.pipe(
  ActivityParameters,
  v.transform(({ limit, cursor = null, from, until, ...exact }) => {
    const { request_id: requestId = null, key_id: keyId = null, path = null, status = null } = exact
    const { error_code: errorCode = null } = exact
    const filter: ActivityFilter = { from, until, requestId, keyId, path, status, errorCode }
    return { limit, after: cursor, filter }
  }),
)
