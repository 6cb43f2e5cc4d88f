const POOL_BYTES = 4_096

/** Drawn many at a time: each draw is a call out of JavaScript. */
let pool = new Uint8Array(0)
let used = 0

/** What the platform alone provides, whatever is configured. */
export const platform = {
  now: Date.now,
  /** At most so many as the pool holds; none are given twice. */
  randomBytes: (count: number): Uint8Array => {
    if (used + count > pool.length) {
      pool = crypto.getRandomValues(new Uint8Array(POOL_BYTES))
      used = 0
    }
    used += count
    return pool.subarray(used - count, used)
  },
}
