import { expect, it, onTestFinished, vi } from 'vitest'
import { createLog } from './log.ts'
import { refusedSignatures } from './refused-signatures.ts'

it('the first refused signature is logged at once, and those of the next minute at its end', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lines: string[] = []
  const refused = refusedSignatures(createLog(line => lines.push(line), Date.now))
  refused('wrong_key')
  for (let times = 0; times < 1_000; times++) refused('wrong_key')
  refused('clock')
  vi.advanceTimersByTime(59_999)
  expect(lines).toHaveLength(1)
  vi.advanceTimersByTime(120_000)
  refused('missing')
  expect(lines.map(line => JSON.parse(line))).toMatchObject([
    { event: 'signatures_refused', wrong_key: 1 },
    { event: 'signatures_refused', wrong_key: 1_000, clock: 1 },
    { event: 'signatures_refused', missing: 1 },
  ])
})
