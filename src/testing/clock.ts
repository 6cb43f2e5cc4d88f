import { afterEach, beforeEach, vi } from 'vitest'

const HOUR_MS = 3_600_000

/**
 * Stops the clock for each test of the file or group that calls this: only the test moves it. It is so far ahead that no
 * alarm goes off by itself, however long a busy machine takes. Timers run as usual unless they are named.
 */
export const useStoppedClock = (...timers: ('setTimeout' | 'clearTimeout')[]): void => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', ...timers], now: Date.now() + HOUR_MS })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}

/** Until real timers are used again, only the test moves those that fire once, however busy the machine is. */
export const stopTimers = (): void => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
}

/** Stops the timers for each test of the file or group that calls this. */
export const useStoppedTimers = (): void => {
  beforeEach(stopTimers)
  afterEach(() => {
    vi.useRealTimers()
  })
}
