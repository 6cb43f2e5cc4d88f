import { expect, it, vi } from 'vitest'
import { createMetrics, watchService } from './scorer-metrics.ts'

it('the page stands when the process has no file descriptor left to look up its memory', () => {
  const metrics = createMetrics()
  watchService(metrics, { version: '1', memoryBytes: 3, ready: () => true })
  const rss = vi.spyOn(process.memoryUsage, 'rss').mockImplementation(() => {
    throw new Error('EMFILE')
  })
  const text = metrics.text()
  rss.mockRestore()
  expect(text).toMatch(/^scorer_memory_limit_bytes 3$/m)
  expect(text).toMatch(/^scorer_resident_bytes NaN$/m)
})
