import * as v from 'valibot'
import { CURSOR_RULE, PageLimit, Time } from '../http/fields.ts'

/** The row after which a page continues: its time and its number within the day. */
export type Position = { at: number; row: number }

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

/** The query parameters of an activity page: `from` is inside the range, `until` is not. */
export const ActivityQuery = v.strictObject({
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

export type ActivityQuery = v.InferOutput<typeof ActivityQuery>

/** Which requests to show. */
export type ActivityFilter = Omit<ActivityQuery, 'limit' | 'cursor'>
