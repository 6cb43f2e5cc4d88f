// Fields that mean the same on every route that reads them.
import * as v from 'valibot'

// The whole calendar, so that the API reference shows what is enforced. Date.parse reads 31 February as 3 March.
const LONG_MONTHS = /\d{4}-(0[13578]|1[02])-(0[1-9]|[12]\d|3[01])/
const SHORT_MONTHS = /\d{4}-(0[469]|11)-(0[1-9]|[12]\d|30)/
const FEBRUARY = /\d{4}-02-(0[1-9]|1\d|2[0-8])/
const LEAP_DAY = /(\d\d(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29/
const DAY = [LONG_MONTHS, SHORT_MONTHS, FEBRUARY, LEAP_DAY].map(({ source }) => source).join('|')
const TIME_OF_DAY = /T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)/
const TIME = new RegExp(`^(${DAY})(${TIME_OF_DAY.source})?$`)
const TIME_RULE = 'must be a day or a time such as "2026-11-21T09:00:00Z"'

/** A day, or a time of day with its offset from UTC. */
export const Time = v.pipe(v.string(TIME_RULE), v.regex(TIME, TIME_RULE), v.transform(Date.parse))

const MAX_PAGE = 200
const PAGE_RULE = `must be a whole number from 1 to ${MAX_PAGE}`

/** How many entries a page holds. */
export const PageLimit = v.optional(
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

/** The rule of a cursor, whatever the list. */
export const CURSOR_RULE = 'must be the next_cursor of an earlier page'
