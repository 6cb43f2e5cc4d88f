/** What an SDK throws. */
export const failure = (request: PromiseLike<unknown>): PromiseLike<unknown> =>
  request.then(
    () => 'the request was answered',
    error => error,
  )
