// For tests of the command line: runs it in this process, against a service that has one answer.
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished, vi } from 'vitest'
import { serverOf } from '../../src/testing/server.ts'
import { ROOT } from '../root.ts'
import { run, type Terminal } from './cli.ts'

/** The program, for tests that need a process of it. */
export const PROGRAM = join(ROOT, 'scripts/decider.ts')

export const decider = async (args: string[], given: Partial<Terminal> = {}) => {
  let out = ''
  let err = ''
  const code = await run(args, {
    env: {},
    isTerminal: true,
    stdin: async () => null,
    out: line => (out += `${line}\n`),
    err: line => (err += `${line}\n`),
    ...given,
  })
  return { code, out, err }
}

/** A service that gives every request the same answer and remembers the requests. */
export const serviceAnswering = async (
  status: number,
  answer: unknown,
  requestId: string | null = 'req_1',
) => {
  const asked: { line: string; authorization: string | undefined; body: string }[] = []
  const DECIDER_URL = await serverOf(async (request, response) => {
    asked.push({
      line: `${request.method} ${request.url}`,
      authorization: request.headers.authorization,
      body: await text(request),
    })
    if (requestId !== null) response.setHeader('decider-request-id', requestId)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  return { asked, env: { DECIDER_URL, DECIDER_ADMIN_SECRET: 's3cret' } }
}

/** Until the test ends, whatever has a time limit has 50 ms. */
export const shortenTimeLimits = (): void => {
  const timeout = AbortSignal.timeout.bind(AbortSignal)
  const shortened = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(50))
  onTestFinished(() => shortened.mockRestore())
}

/** A secret of the form that scorers and profiles are signed with. */
export const secretOf = (id: string): string => `${id}:${'A'.repeat(43)}`
