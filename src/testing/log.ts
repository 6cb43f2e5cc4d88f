import { onTestFinished, vi } from 'vitest'

/** The lines written until the test ends, read as JSON: `error` has the faults, `log` all else. */
export const linesOf = (channel: 'error' | 'log') => {
  const heard = vi.spyOn(console, channel).mockReturnValue()
  onTestFinished(() => heard.mockRestore())
  return () => heard.mock.calls.map(([line]) => JSON.parse(line))
}
