import * as v from 'valibot'
import type { ActivityFilter, Position } from './filter.ts'

/** A position as callers carry it from page to page. */
export const writeCursor = ({ at, row }: Position): string => `${at.toString(36)}-${row.toString(36)}`

const Cursor = v.pipe(
  v.string(),
  v.regex(/^[0-9a-z]{1,10}-[0-9a-z]{1,10}$/, 'must be the next_cursor of an earlier page'),
  v.transform((text): Position => {
    const [at = '', row = ''] = text.split('-')
    return { at: Number.parseInt(at, 36), row: Number.parseInt(row, 36) }
  }),
)

const Time = v.pipe(
  v.string(),
  v.check(text => !Number.isNaN(Date.parse(text)), 'must be a time such as "2026-11-21T09:00:00Z"'),
  v.transform(Date.parse),
)

const short = v.pipe(v.string(), v.maxLength(100, 'must be at most 100 characters'))

export const pageLimit = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^([1-9]\d?|1\d\d|200)$/, 'must be a whole number from 1 to 200'),
    v.transform(Number),
  ),
  '50',
)

/** The query parameters of an activity page. */
export const ActivityQuery = v.pipe(
  v.strictObject({
    limit: pageLimit,
    cursor: v.optional(v.nullable(Cursor), null),
    from: v.optional(Time, '1970-01-01'),
    until: v.optional(Time, '9999-12-31'),
    key_id: v.optional(v.nullable(short), null),
    path: v.optional(v.nullable(short), null),
    status: v.optional(
      v.nullable(v.pipe(v.string(), v.regex(/^[1-5](\d\d|xx)$/, 'must be a status such as "429" or "4xx"'))),
      null,
    ),
    error_code: v.optional(v.nullable(short), null),
  }),
  v.transform(({ limit, cursor, from, until, key_id, path, status, error_code }) => {
    const filter: ActivityFilter = { from, until, keyId: key_id, path, status, errorCode: error_code }
    return { limit, after: cursor, filter }
  }),
)
