import { expect, it } from 'vitest'
import { noThreads } from './no-threads.ts'
import { StartError } from './start-error.ts'

it.each([
  'EAGAIN',
  'a cannot be opened with SCORER_PROVIDER=cpu: EAGAIN',
  'a cannot be opened with SCORER_PROVIDER=cpu: env.cc:251 pthread_create failed, error code: 11 error msg: Resource temporarily unavailable\n',
])('a thread that the system did not start is no fault of the provider: %s', message => {
  expect(() => noThreads(new Error(message))).toThrow(/^The system lets this process start no more threads: /)
})

it.each([new StartError('a contains no snapshot'), new TypeError('x'), 'x', undefined])(
  'another fault stays as it is: %s',
  async fault => {
    await expect(Promise.reject(fault).catch(noThreads)).rejects.toBe(fault)
  },
)
