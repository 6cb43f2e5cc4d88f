import { afterEach, beforeEach, vi } from 'vitest'

/** Stops the clock for each test of the file or group that calls this: only the test moves it. Timers run as usual. */
export const useStoppedClock = (): void => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}
