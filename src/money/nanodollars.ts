// Money is counted in integer nanodollars: a token costs 100 of them, a cached one 20. A number holds nine million
// dollars of them exactly; no balance comes near, because MAX_CREDIT caps each booking and the ledger the balance, above
// and below.

export const NANODOLLARS_PER_DOLLAR = 1_000_000_000
export const NANODOLLARS_PER_CENT = 10_000_000
export const STARTER_CREDIT = 5 * NANODOLLARS_PER_DOLLAR
const MAX_CREDIT = 1_000_000 * NANODOLLARS_PER_DOLLAR
export const MAX_BALANCE = 2 * MAX_CREDIT

/** `12.50` as nanodollars; null if it is not a positive amount of dollars and whole cents. */
export const parseDollars = (text: string): number | null => {
  const match = /^(0|[1-9]\d{0,6})(?:\.(\d{2}))?$/.exec(text)
  if (match === null) return null
  const amount = Number(match[1]) * NANODOLLARS_PER_DOLLAR + Number(match[2] ?? 0) * NANODOLLARS_PER_CENT
  return amount > 0 && amount <= MAX_CREDIT ? amount : null
}

/** Every significant digit of an amount, with at least two after the point. */
export const formatDollars = (nanodollars: number): string => {
  const sign = nanodollars < 0 ? '-' : ''
  const digits = String(Math.abs(nanodollars)).padStart(10, '0')
  const fraction = digits.slice(-9).replace(/0{1,7}$/, '')
  return `${sign}${digits.slice(0, -9)}.${fraction}`
}
