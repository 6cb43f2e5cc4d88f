import type { Context } from 'hono'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../test/cpu-time.ts'
import { readQuery } from './checked-input.ts'

const Parameters = v.strictObject({ limit: v.optional(v.string()), path: v.optional(v.string()) })

const read = (query: string) =>
  readQuery({ req: { url: `http://edge/v1/account?${query}` } } as unknown as Context, Parameters)

describe('query parameters', () => {
  it('are read by name', () => {
    expect(read('path=%2Fv1&limit=5')).toEqual({ path: '/v1', limit: '5' })
  })

  it.each([
    ['limit=1&limit=2', 'limit', 'limit must be given only once.'],
    ['path=a&limit=1&path=a', 'path', 'path must be given only once.'],
    ['limits=1', 'limits', 'limits is not a known field.'],
  ])('are refused if one is unknown or given twice: %s', (query, param, message) => {
    expect(() => read(query)).toThrow(expect.objectContaining({ code: 'invalid_schema', param, message }))
  })

  it('are not repeated at any length: of an unknown name, an answer holds its beginning', () => {
    const param = `${'n'.repeat(1_024)}…`
    const refusal = { param, message: `${param} is not a known field.` }
    expect(() => read(`${'n'.repeat(100_000)}=1`)).toThrow(expect.objectContaining(refusal))
  })

  it('take time in proportion to their number, not to its square', () => {
    const query = Array.from({ length: 30_000 }, (_, index) => `p${index}`).join('&')
    expect(cpuMs(() => expect(() => read(query)).toThrow())).toBeLessThan(1_000)
  })
})
