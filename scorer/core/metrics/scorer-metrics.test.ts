import { expect, it, vi } from 'vitest'
import { createMetrics, watchGauges } from './scorer-metrics.ts'

it('the page stands when the process has no file descriptor left to look up its memory', () => {
  const metrics = createMetrics()
  watchGauges(metrics, {
    store: () => ({ usedBytes: 0, cachedBytes: 0, cachedStates: 0, questionBytes: 0 }),
    queue: () => ({ waiting: 3, waitingTokens: 0, running: 0, runningTokens: 0 }),
  })
  const rss = vi.spyOn(process.memoryUsage, 'rss').mockImplementation(() => {
    throw new Error('EMFILE')
  })
  const text = metrics.text()
  rss.mockRestore()
  expect(text).toMatch(/^scorer_queue_units 3$/m)
  expect(text).toMatch(/^scorer_resident_bytes NaN$/m)
})
