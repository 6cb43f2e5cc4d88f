import { vi } from 'vitest'

/** The lines written from now on in this test, read as JSON: `error` has the faults, `log` all else. */
export const linesOf = (channel: 'error' | 'log') => {
  const heard = vi.spyOn(console, channel).mockReturnValue()
  return () => heard.mock.calls.map(([line]) => JSON.parse(line))
}
