const POOL_BYTES = 4_096

/** Filled many bytes at a time, because each draw is a call out of JavaScript. */
let pool = new Uint8Array(0)
let used = 0

/** What the platform provides, whatever the configuration. */
export const platform = {
  now: Date.now,
  /** At most as many as the pool holds; none are given out twice. */
  randomBytes: (count: number): Uint8Array => {
    if (used + count > pool.length) {
      pool = crypto.getRandomValues(new Uint8Array(POOL_BYTES))
      used = 0
    }
    used += count
    return pool.subarray(used - count, used)
  },
}
