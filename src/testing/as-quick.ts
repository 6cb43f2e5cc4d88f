import { expect } from 'vitest'

/** In workerd the clock stands still until something is awaited. */
const took = async (work: () => void): Promise<number> => {
  const start = Date.now()
  work()
  await new Promise(resolve => setTimeout(resolve, 0))
  return Date.now() - start
}

/**
 * Expects work on keys that were chosen to collide to be about as quick as on others. Keys that do collide take more
 * than ten times as long. The machine may hold up either, so it is tried again.
 */
export const expectAsQuick = async (chosen: () => void, others: () => void): Promise<void> => {
  for (let triesLeft = 2; ; triesLeft--) {
    const usual = await took(others)
    const ms = await took(chosen)
    const most = 3 * usual + 100
    if (ms < most) return
    if (triesLeft === 0) expect(ms).toBeLessThan(most)
  }
}
