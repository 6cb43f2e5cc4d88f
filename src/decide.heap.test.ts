import { join } from 'node:path'
import { expect, it } from 'vitest'
import { printedInLittleMemory } from './testing/heap.ts'

it('the largest decision fits into 100 MB, its answer included', async () => {
  const printed = await printedInLittleMemory(join(import.meta.dirname, 'decide.heap.fixture.ts'))
  expect(printed).toMatch(/^\d+ bytes$/)
}, 300_000)
