/** The day of a time in UTC, such as `2026-11-21`. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)
