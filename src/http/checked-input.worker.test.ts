import type { Context } from 'hono'
import { expect, it } from 'vitest'
import { expectAsQuick } from '../testing/as-quick.ts'
import { NoParameters, readQuery } from './checked-input.ts'

/** Of eight requests: V8 keeps one table of all names. Each address has the length that the platform accepts. */
const queriesOf = (nameAt: (at: number) => string): string[] =>
  Array.from({ length: 8 }, (_, request) =>
    Array.from({ length: 5_400 }, (_, at) => nameAt(5_400 * request + at)).join('&'),
  )

const refusing = (queries: readonly string[]) => () => {
  for (const query of queries) {
    const c = { req: { url: `http://edge/v1/account?${query}` } } as unknown as Context
    expect(() => readQuery(c, NoParameters)).toThrow('is not a known field')
  }
}

// In workerd, whose V8 hashes a string of digits by its value: multiples of a large power of two collide.
it('parameters whose names were chosen to collide are refused as quickly as any others', async () => {
  const chosen = queriesOf(at => String((at + 20_000) * 65_536))
  const others = queriesOf(at => `p${(at + 20_000) * 65_536}`)
  await expectAsQuick(refusing(chosen), refusing(others))
})
