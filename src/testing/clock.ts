import { afterEach, beforeEach, vi } from 'vitest'

/** A clock that only the test moves, for each test of the file or group that says so. Timers go on as they do. */
export const useStoppedClock = (): void => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}
