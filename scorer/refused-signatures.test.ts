import { expect, it } from 'vitest'
import { createLog } from './log.ts'
import { refusedSignatures } from './refused-signatures.ts'

it('the first refused signature is logged at once, and those of the next minute with the one after it', () => {
  const lines: string[] = []
  let now = 1_000
  const refused = refusedSignatures(
    createLog(
      line => lines.push(line),
      () => 0,
    ),
    () => now,
  )
  refused('wrong_key')
  for (let times = 0; times < 1_000; times++) refused('wrong_key')
  refused('clock')
  now += 60_000
  refused('clock')
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { event: 'signatures_refused', wrong_key: 1 },
    { event: 'signatures_refused', wrong_key: 1_000, clock: 2 },
  ])
})
