import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { progressOn } from './progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const setup = (isTTY: boolean, columns?: number) => {
  const written: string[] = []
  const write = (text: unknown) => written.push(String(text)) > 0
  const progress = progressOn({ isTTY, write, ...(columns !== undefined && { columns }) })
  return { progress, written }
}

it('draws over one line of a terminal, and leaves nothing there', () => {
  const { progress, written } = setup(true)
  for (const share of [0, 0.5, 1]) progress.sent(share)
  const [full, none] = ['█', '░']
  expect(written.splice(0)).toEqual(
    [
      `uploading ${none.repeat(30)} 0%`,
      `uploading ${full.repeat(15)}${none.repeat(15)} 50%`,
      `uploading ${full.repeat(30)} 100%`,
    ].map(line => `\r\u001b[2K${line}`),
  )
  vi.advanceTimersByTime(700)
  progress.waiting()
  vi.advanceTimersByTime(2_300)
  expect(written.at(-1)).toMatch(/scoring and fitting . 2\.3 s$/)
  progress.end()
  expect(written.at(-1)).toBe('\r\u001b[2K')
  const drawn = written.length
  vi.advanceTimersByTime(1_000)
  progress.asked(1)
  progress.waiting()
  expect(written).toHaveLength(drawn)
  expect(vi.getTimerCount()).toBe(0)
})

it('writes one line for each phase into a log', () => {
  const { progress, written } = setup(false)
  progress.sent(0)
  progress.sent(1)
  progress.waiting()
  vi.advanceTimersByTime(2_300)
  progress.end()
  expect(written).toEqual([`uploading ${'░'.repeat(30)} 0%\n`, 'scoring and fitting …\n'])
})

it('draws how many decisions there are', () => {
  const { progress, written } = setup(true)
  progress.asked(0.4)
  expect(written).toEqual([`\r\u001b[2Kdeciding ${'█'.repeat(12)}${'░'.repeat(18)} 40%`])
})

it.each([
  [35, 20],
  [15, 0],
  // Of a terminal that does not know.
  [0, 30],
])('keeps to one line of a terminal of %i columns', (columns, width) => {
  const { progress, written } = setup(true, columns)
  progress.sent(1)
  expect(written).toEqual([`\r\u001b[2Kuploading ${'█'.repeat(width)} 100%`])
})
