// Activity is kept in one object per account and UTC day.

export const DAY_MS = 24 * 60 * 60_000
export const KEPT_DAYS = 30
export const KEPT_MS = KEPT_DAYS * DAY_MS

/** `2026-11-21` */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

export const objectName = (accountId: string, day: string): string => `${accountId}:${day}`

/** Every day that overlaps the range, newest first. */
export const daysBetween = (from: number, until: number): string[] => {
  const days: string[] = []
  for (let at = Date.parse(dayOf(until - 1)); at > from - DAY_MS; at -= DAY_MS) days.push(dayOf(at))
  return days
}
