import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

// An isolate has 128 MB for everything; a calibration may take 100 MB of it.
const HEAP = ['--max-old-space-size=70', '--max-semi-space-size=8']
const FIXTURE = join(import.meta.dirname, 'heap.fixture.ts')

describe('a calibration whose body is at its caps fits into 100 MB', () => {
  it.concurrent.each([
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
      const { stdout } = await promisify(execFile)(process.execPath, [...HEAP, FIXTURE, body])
      expect(stdout).toMatch(/^calp1\./)
    },
    120_000,
  )
})
