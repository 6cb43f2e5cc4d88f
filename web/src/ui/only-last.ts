/** Takes only the result of the latest request: an earlier one may arrive later, and is dropped. */
export const onlyLast = () => {
  let last: Promise<unknown> | null = null
  return async <T>(asked: Promise<T>, take: (arrived: T) => void): Promise<void> => {
    last = asked
    const arrived = await asked
    if (last === asked) take(arrived)
  }
}
