/** The outcome of the work, or `late` as soon as the time is up. The work then goes on, its outcome ignored. */
export const within = async <Outcome, Late>(
  work: Promise<Outcome>,
  ms: number,
  late: Late,
): Promise<Outcome | Late> => {
  const { promise, resolve } = Promise.withResolvers<Late>()
  const timer = setTimeout(() => resolve(late), Math.max(0, ms))
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
