import type { Spent } from './admission.ts'

// Usage on its way from a key's Gate to its account. A hand-over is sealed under the next sequence number before it
// is sent, then sent again, unchanged, until the account has it. The account ignores a number it has seen.

/** What was counted, summed up. */
export type Tally = { requests: number; inputTokens: number; nanodollars: number }

export type Meter = {
  /** The number of the last sealed hand-over. */
  sequence: number
  /** Sealed under `sequence` and not yet known to have reached the account. */
  sealed: Tally | null
  /** Counted since then. */
  open: Tally
}

const NOTHING: Tally = { requests: 0, inputTokens: 0, nanodollars: 0 }

export const emptyMeter: Meter = { sequence: 0, sealed: null, open: NOTHING }

export const count = (meter: Meter, spent: Spent): Meter => ({
  ...meter,
  open: {
    requests: meter.open.requests + 1,
    inputTokens: meter.open.inputTokens + spent.inputTokens,
    nanodollars: meter.open.nanodollars + spent.costNanodollars,
  },
})

/** Seals what is open, unless an earlier hand-over is still on its way or there is nothing to hand over. */
export const seal = (meter: Meter): Meter =>
  meter.sealed !== null || meter.open.requests === 0
    ? meter
    : { sequence: meter.sequence + 1, sealed: meter.open, open: NOTHING }

/** The sealed hand-over has reached the account. */
export const acknowledge = (meter: Meter): Meter => ({ ...meter, sealed: null })

/** In nanodollars: all that the account is not yet known to have. */
export const toHandOver = (meter: Meter): number => meter.open.nanodollars + (meter.sealed?.nanodollars ?? 0)
