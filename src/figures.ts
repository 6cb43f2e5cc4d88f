// The kinds of number that every wire format has.
import * as v from 'valibot'

export const amount = v.pipe(v.number(), v.minValue(0))
export const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1))
export const count = v.pipe(v.number(), v.integer(), v.minValue(0))
/** A sum without end: it may need more than 32 bits. */
export const total = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
