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

export const CreditPage = v.strictObject({
  cursor: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,15}\.[\w-]{1,1000}$/, CURSOR_RULE),
      v.transform(text => {
        const [at, reference = ''] = text.split('.')
        return { at: Number(at), reference: Buffer.from(reference, 'base64url').toString() }
      }),
    ),
  ),
  limit: PageLimit,
})

/** A reference may hold any characters. */
export const creditCursor = ({ at, reference }: Credit): string =>
  `${at}.${Buffer.from(reference).toString('base64url')}`

export const ChargePage = v.strictObject({
  cursor: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{4}-\d\d-\d\d\.\w{1,100}$/, CURSOR_RULE),
      v.transform(text => {
        const [day = '', keyId = ''] = text.split('.')
        return { day, keyId }
      }),
    ),
  ),
  limit: PageLimit,
})

export const chargeCursor = ({ day, keyId }: Charge): string => `${day}.${keyId}`

export const KeyPage = v.strictObject({
  cursor: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,15}\.\w{1,100}$/, CURSOR_RULE),
      v.transform(text => {
        const [createdAt, id = ''] = text.split('.')
        return { createdAt: Number(createdAt), id }
      }),
    ),
  ),
  limit: PageLimit,
})

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
