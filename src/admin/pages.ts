import * as v from 'valibot'
import { CURSOR_RULE, PageLimit } from '../http/fields.ts'
import { isAccountId } from '../money/account-id.ts'
import type { ApiKeyInfo } from '../money/keyring.ts'
import type { Charge, Credit } from '../money/ledger.ts'

// The lists that an operator reads page by page: each with its query, and a cursor that leads to the next page.

export const AccountPage = v.strictObject({
  cursor: v.optional(v.pipe(v.string(), v.check(isAccountId, CURSOR_RULE))),
  limit: PageLimit,
})

/** A page of a list in the order of two fields, whose cursor is both of the last entry. */
const pageBy = <Position>(pattern: RegExp, read: (first: string, second: string) => Position) =>
  v.strictObject({
    cursor: v.optional(
      v.pipe(
        v.string(),
        v.regex(pattern, CURSOR_RULE),
        v.transform(text => {
          const [first = '', second = ''] = text.split('.')
          return read(first, second)
        }),
      ),
    ),
    limit: PageLimit,
  })

export const CreditPage = pageBy(/^\d{1,15}\.[\w-]{1,1000}$/, (at, reference) => ({
  at: Number(at),
  reference: Buffer.from(reference, 'base64url').toString(),
}))

/** A reference may hold any characters. */
export const creditCursor = ({ at, reference }: Credit): string =>
  `${at}.${Buffer.from(reference).toString('base64url')}`

export const ChargePage = pageBy(/^\d{4}-\d\d-\d\d\.\w{1,100}$/, (day, keyId) => ({ day, keyId }))

export const chargeCursor = ({ day, keyId }: Charge): string => `${day}.${keyId}`

export const KeyPage = pageBy(/^\d{1,15}\.\w{1,100}$/, (createdAt, id) => ({
  createdAt: Number(createdAt),
  id,
}))

export const keyCursor = ({ createdAt, id }: ApiKeyInfo): string => `${createdAt}.${id}`

/** One entry more than the page has room for shows that there is a next page. */
export const pageOf = <Entry>(
  entries: readonly Entry[],
  limit: number,
  view: (entry: Entry) => object,
  cursorOf: (entry: Entry) => string,
) => {
  const page = entries.slice(0, limit)
  const last = page.at(-1)
  const next_cursor = entries.length > limit && last !== undefined ? cursorOf(last) : null
  return { object: 'list', data: page.map(view), next_cursor }
}
