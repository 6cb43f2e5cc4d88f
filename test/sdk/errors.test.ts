// What docs/compatibility.md says under "When it fails", against the codes of the service and the published SDKs.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { APIError, TypeSafeClient } from '@typesafe-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { PROBLEMS } from '../../src/problem.ts'

const text = readFileSync(join(import.meta.dirname, '../../docs/compatibility.md'), 'utf8')
const named = (cell = ''): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
const rows = [...text.matchAll(/^\| (\d{3}) \| (.+?) \| (.+?) \|/gm)].map(([, status, codes, classes]) => ({
  status: Number(status),
  codes: named(codes),
  classes: named(classes),
}))

describe('the table of failures', () => {
  it('lists every code under its status', () => {
    const listed = rows.flatMap(({ status, codes }) => codes.map(code => [code, status]))
    const answered = Object.entries(PROBLEMS).map(([code, { status }]) => [code, status])
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(answered))
  })

  it.each(rows)('names the class that each SDK throws for $status', ({ status, classes }) => {
    const headers = new Headers()
    expect(APIError.fromResponse(status, {}, headers).constructor.name).toBe(classes[0])
    expect(OpenAI.APIError.generate(status, {}, undefined, headers).constructor.name).toBe(classes.at(-1))
  })

  it('says how often the SDKs retry', () => {
    const twice = [
      new TypeSafeClient({ apiKey: 'k' }).retry.maxRetries,
      new OpenAI({ apiKey: 'k' }).maxRetries,
    ]
    expect(twice).toEqual([2, 2])
  })
})
