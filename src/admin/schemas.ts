import * as v from 'valibot'
import { Time } from '../http/fields.ts'
import { NANODOLLARS_PER_CENT, parseDollars } from '../money/nanodollars.ts'

const TEXT = 'must be a string of 1 to 100 characters'
const Text = v.pipe(
  v.string(TEXT),
  v.trim(),
  v.minLength(1, TEXT),
  v.check(text => [...text].length <= 100, TEXT),
)

const Dollars = v.pipe(
  v.string('must be a string such as "25.00"'),
  v.transform(parseDollars),
  v.number(
    'must be an amount in dollars such as "25" or "25.50", with none or both digits of its cents, above 0, at most 1000000 and without a zero in front',
  ),
)

/** What Stripe accepts in one payment: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const PAYMENT_CENTS = { least: 50, most: 99_999_999 }
const PAYMENT = 'must be an amount from "0.50" to "999999.99", the range of a payment'
const Payment = v.pipe(
  Dollars,
  v.minValue(PAYMENT_CENTS.least * NANODOLLARS_PER_CENT, PAYMENT),
  v.maxValue(PAYMENT_CENTS.most * NANODOLLARS_PER_CENT, PAYMENT),
)

const FutureTime = v.pipe(
  Time,
  v.check(at => at > Date.now(), 'must be in the future'),
  // A year of five digits could not be answered as RFC 3339 writes times.
  v.maxValue(Date.UTC(9999, 11, 31, 23, 59, 59, 999), 'must be in a year of four digits'),
)

const wholeNumber = (max: number) => {
  const rule = `must be a whole number from 1 to ${max}`
  return v.pipe(v.number(rule), v.integer(rule), v.minValue(1, rule), v.maxValue(max, rule))
}

const ADDRESS = 'must be a web address'
/** Its characters are checked because a URL is read without the blanks in it, but passed on with them. */
const WebAddress = v.pipe(
  v.string(ADDRESS),
  v.url(ADDRESS),
  v.regex(/^https?:\/\/[^/\s\p{C}][^\s\p{C}]*$/iu, ADDRESS),
)

/** Whoever sends more to what takes nothing means something that would not happen, such as only trying it. */
export const Nothing = v.strictObject({})

export const NewAccount = v.strictObject({ name: v.optional(Text, 'Unnamed') })

export const Renaming = v.strictObject({ name: Text })

export const NewKey = v.strictObject({
  kind: v.optional(v.picklist(['standard', 'playground'], 'must be "standard" or "playground"'), 'standard'),
  name: v.optional(Text, 'Unnamed'),
  expires_at: v.optional(v.nullable(FutureTime), null),
})

export const RatesOrder = v.strictObject({
  requests_per_second: v.nullable(wholeNumber(100_000)),
  tokens_per_minute: v.nullable(wholeNumber(10_000_000_000)),
})

export const AutoReloadSettings = v.strictObject({ threshold_usd: Dollars, amount_usd: Payment })

export const Checkout = v.strictObject({ amount_usd: Payment, return_url: WebAddress })

/** A top-up or a deduction. */
export const Booking = v.strictObject({
  amount_usd: Dollars,
  /** Identifies the booking: using the same reference again changes nothing. */
  reference: Text,
})
