import { dayOf } from '../day.ts'
import type { Activity, PlacedRow } from './activity.ts'
import { DAY_MS, daysBetween, KEPT_DAYS, KEPT_MS, objectName } from './days.ts'
import type { ActivityQuery, Position } from './query.ts'
import type { DayUsage } from './totals.ts'

/** Days read at the same time. */
const DAYS_AT_ONCE = 8

export type ActivityPage = { rows: PlacedRow[]; next: Position | null }

/** One page of an account's requests, newest first, across the days that hold them. */
export const readActivity = async (
  activities: DurableObjectNamespace<Activity>,
  accountId: string,
  { limit, cursor, ...asked }: ActivityQuery,
  now: number,
): Promise<ActivityPage> => {
  const filter = { ...asked, from: Math.max(asked.from, now - KEPT_MS) }
  const newest = Math.min(filter.until, now + 1, cursor === undefined ? Infinity : cursor.at + 1)
  const days = daysBetween(filter.from, newest)
  const rows: PlacedRow[] = []
  // One row more than asked for shows whether there is a next page.
  for (let at = 0; at < days.length && rows.length <= limit; at += DAYS_AT_ONCE) {
    const pages = days.slice(at, at + DAYS_AT_ONCE).map(day => {
      const after = cursor !== undefined && dayOf(cursor.at) === day ? cursor : null
      return activities.getByName(objectName(accountId, day)).page(filter, after, limit + 1)
    })
    rows.push(...(await Promise.all(pages)).flat())
  }
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return { rows: page, next: rows.length > limit && last ? { at: last.at, row: last.row } : null }
}

export type DatedUsage = { day: string; usage: DayUsage }

/** The totals of each of the last 30 days, today first. */
export const readUsage = (
  activities: DurableObjectNamespace<Activity>,
  accountId: string,
  now: number,
): Promise<DatedUsage[]> =>
  Promise.all(
    daysBetween(now - (KEPT_DAYS - 1) * DAY_MS, now + 1).map(async day => ({
      day,
      usage: await activities.getByName(objectName(accountId, day)).usage(),
    })),
  )
