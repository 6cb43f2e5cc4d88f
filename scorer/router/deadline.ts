const DEFAULT_MS = 10_000
const MAX_MS = 120_000

/** How long the caller says it will wait, or null if the header is not a positive integer of milliseconds. */
export const readDeadline = (header: string | undefined): number | null => {
  if (header === undefined) return DEFAULT_MS
  if (!/^\d{1,9}$/.test(header)) return null
  const ms = Number(header)
  return ms === 0 ? null : Math.min(ms, MAX_MS)
}
