/** What cannot be missing. If it is, the request fails and costs nothing: an invented value would be charged for. */
export const present = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new RangeError(`${what} is missing`)
  return value
}
