// Activity is kept in one object per account and UTC day.
import { dayOf } from '../day.ts'

export const DAY_MS = 24 * 60 * 60_000
export const KEPT_DAYS = 30
export const KEPT_MS = KEPT_DAYS * DAY_MS

export const objectName = (accountId: string, day: string): string => `${accountId}:${day}`

/** Every day that overlaps the range, newest first. */
export const daysBetween = (from: number, until: number): string[] => {
  const days: string[] = []
  for (let at = Date.parse(dayOf(until - 1)); at > from - DAY_MS; at -= DAY_MS) days.push(dayOf(at))
  return days
}
