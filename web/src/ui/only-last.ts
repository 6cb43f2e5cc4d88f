/** Takes what was asked for last: what was asked for before may arrive later, and is left. */
export const onlyLast = () => {
  let last: Promise<unknown> | null = null
  return async <T>(asked: Promise<T>, take: (arrived: T) => void): Promise<void> => {
    last = asked
    const arrived = await asked
    if (last === asked) take(arrived)
  }
}
