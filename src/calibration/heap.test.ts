import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { printedInLittleMemory } from '../testing/heap.ts'

const FIXTURE = join(import.meta.dirname, 'heap.fixture.ts')

describe('a calibration whose body is at its caps fits into 100 MB', () => {
  it.each([
    'long states',
    'many questions',
    'many options',
    'options that are never the same',
    'many long choices',
    'numbers with their digits',
    'long ids',
    'structured states',
  ])(
    '%s',
    async body => {
      expect(await printedInLittleMemory(FIXTURE, body)).toMatch(/^calp1\./)
    },
    300_000,
  )
})
