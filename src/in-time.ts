/** What a call answers, or a failure if it has not answered by then. The call itself goes on and may be carried out. */
export const inTime = async <Answer>(
  call: Promise<Answer>,
  ms: number,
  failure = (): Error => new DOMException('No answer in time.', 'TimeoutError'),
): Promise<Answer> => {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(failure()), ms)
  try {
    return await Promise.race([call, late])
  } finally {
    clearTimeout(timer)
  }
}
