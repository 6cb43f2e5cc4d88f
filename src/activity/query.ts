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

// The whole calendar, so that the API reference shows what is enforced. Date.parse reads 31 February as 3 March.
const LONG_MONTHS = /\d{4}-(0[13578]|1[02])-(0[1-9]|[12]\d|3[01])/
const SHORT_MONTHS = /\d{4}-(0[469]|11)-(0[1-9]|[12]\d|30)/
const FEBRUARY = /\d{4}-02-(0[1-9]|1\d|2[0-8])/
const LEAP_DAY = /(\d\d(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29/
const DAY = [LONG_MONTHS, SHORT_MONTHS, FEBRUARY, LEAP_DAY].map(({ source }) => source).join('|')
const TIME_OF_DAY = /T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)/

/** A day, or a time of day with its offset from UTC. */
const TIME = new RegExp(`^(${DAY})(${TIME_OF_DAY.source})?$`)

const Time = v.pipe(
  v.string(),
  v.regex(TIME, 'must be a day or a time such as "2026-11-21T09:00:00Z"'),
  v.transform(Date.parse),
)

const short = v.pipe(v.string(), v.maxLength(100, 'must be at most 100 characters'))

const MAX_PAGE = 200
const PAGE_RULE = `must be a whole number from 1 to ${MAX_PAGE}`

export const pageLimit = v.optional(
  v.pipe(
    v.string(),
    v.regex(/^\d+$/, PAGE_RULE),
    v.transform(Number),
    v.number(),
    v.integer(PAGE_RULE),
    v.minValue(1, PAGE_RULE),
    v.maxValue(MAX_PAGE, PAGE_RULE),
  ),
  '50',
)

/** The query parameters of an activity page. */
export const ActivityParameters = v.strictObject({
  limit: pageLimit,
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
