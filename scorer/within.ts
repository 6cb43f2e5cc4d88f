/** What the work comes to, or `late` as soon as the time is up: the work then goes on unheard. */
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
