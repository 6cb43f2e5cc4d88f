import { isLoopback } from '../../src/http/loopback.ts'
import { NOTHING_HERE } from '../../src/http/nothing-here.ts'
import { keptSecrets } from '../service/secrets.ts'
import { referral, serviceUrl } from '../service-url.ts'
import { ServiceError, UsageError } from './errors.ts'

// biome-ignore lint/suspicious/noExplicitAny: what the service answers is shown, not relied on
export type Answer = any

export type Client = {
  url: string
  call(method: string, path: string, body?: object): Promise<Answer>
}

const TIMEOUT_MS = 30_000

/** Speaks to the service that DECIDER_URL names with the secret in DECIDER_ADMIN_SECRET. */
export const connect = async (env: NodeJS.ProcessEnv, urlGiven?: string): Promise<Client> => {
  const url = serviceUrl(urlGiven, env)
  // As fetch would do: a secret read from a file often ends with a newline.
  const secret = env.DECIDER_ADMIN_SECRET?.trim() || (await localSecret(env, url))
  if (!secret)
    throw new UsageError(
      'Set DECIDER_ADMIN_SECRET to the admin secret of the service, or DATA_DIR to the folder of its `npm run dev`.',
    )
  // The placeholder that documents print is not a secret. Sending it would look like a service that does not answer.
  if (!/^[\x20-\xff]+$/.test(secret))
    throw new UsageError('DECIDER_ADMIN_SECRET contains characters that a header cannot hold.')
  return {
    url,
    call: async (method, path, body) => {
      const answer = await ask(`${url}/admin/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        redirect: 'manual',
      })
      const read = await answer.json().catch(() => null)
      // Every answer from Decider has this header; a web server that serves a page at any path does not send it.
      const requestId = answer.headers.get('decider-request-id')
      const referred = referral(new URL(url), answer.status, answer.headers.get('location'))
      if (referred !== null) throw new ServiceError(referred)
      if (requestId === null && answer.ok) throw new ServiceError(`The server at ${url} is not Decider.`)
      if (requestId === null) throw notOfService(url, method, answer.status, read)
      if (!answer.ok) throw refusalOf(answer.status, read, requestId)
      if (read === null) throw new ServiceError('The answer ended early. The command may have taken effect.')
      return read
    },
  }
}

const IN_DOUBT = 'The command may have been carried out: look before you repeat it.'

const ask = async (url: string, init: RequestInit): Promise<Response> => {
  const changes = isChange(init.method)
  // `npm run dev` has its own way with Ctrl-C: what it has not finished, its next start does.
  if (changes && process.listenerCount('SIGINT') === 0) process.once('SIGINT', interrupted)
  try {
    return await fetch(url, init)
  } catch (error) {
    const { origin } = new URL(url)
    const { said, mayHaveArrived } = lossOf(error, origin)
    throw new ServiceError(changes && mayHaveArrived ? `${said} ${IN_DOUBT}` : said)
  } finally {
    process.off('SIGINT', interrupted)
  }
}

/** Ctrl-C does not take back what was sent. */
const interrupted = (): void => {
  console.error(`Interrupted. ${IN_DOUBT}`)
  // With nobody listening any more, this ends the process as Ctrl-C does, which a loop in a shell then ends with.
  process.kill(process.pid, 'SIGINT')
}

const isChange = (method: string | undefined): boolean => method !== 'GET'

/** What became of a request without an answer. */
const lossOf = (error: unknown, origin: string): { said: string; mayHaveArrived: boolean } => {
  const { name, cause } = error as { name: string; cause?: Fault }
  if (name === 'TimeoutError')
    return { said: `${origin} did not answer within ${TIMEOUT_MS / 1000} s.`, mayHaveArrived: true }
  // Without a code, fetch itself refused the request.
  if (cause?.code === undefined || hadNoConnection(cause))
    return { said: `${origin} does not answer. Is the service running there?`, mayHaveArrived: false }
  if (OF_TLS.test(cause.code))
    return {
      said: `${origin} offers no secure connection (${cause.reason ?? cause.message}).`,
      mayHaveArrived: false,
    }
  return { said: `The connection to ${origin} broke (${cause.message}).`, mayHaveArrived: true }
}

/** `syscall` is the system's call that failed, `reason` what OpenSSL says without its line of source. */
type Fault = { code?: string; message: string; syscall?: string; reason?: string; errors?: readonly Fault[] }

/** Where a host has several addresses, `errors` has what became of each. */
const hadNoConnection = ({ code, syscall = '', errors = [] }: Fault): boolean =>
  code === 'UND_ERR_CONNECT_TIMEOUT' || CONNECTING.has(syscall) || errors.some(hadNoConnection)

const CONNECTING: ReadonlySet<string> = new Set(['getaddrinfo', 'connect'])

/** Of a certificate, or of an address that speaks no TLS: nothing is sent before both sides agree. */
const OF_TLS = /^ERR_(SSL|TLS)_|CERT|^UNABLE_TO_VERIFY/

/** What a proxy answers, or whatever else is at that address. A proxy that gave up on the service did not stop it. */
const notOfService = (url: string, method: string, status: number, answer: unknown): ServiceError => {
  const said = `${new URL(url).origin} answered ${status} in place of the service.`
  return new ServiceError(status >= 500 && isChange(method) ? `${said} ${IN_DOUBT}` : said, answer)
}

const refusalOf = (status: number, answer: unknown, requestId: string): ServiceError => {
  if (status < 500) return new ServiceError(explain(status, answer), answer)
  // The service's log names what failed by this id alone.
  const shown = typeof answer === 'object' && answer !== null ? { ...answer, request_id: requestId } : answer
  return new ServiceError(`${explain(status, answer)} Its request id is ${requestId}.`, shown)
}

const explain = (status: number, answer: unknown): string => {
  const error = (answer as { error?: { code?: string; message?: string } } | null)?.error
  if (status === 404 && error?.message?.startsWith(NOTHING_HERE)) {
    return 'The service has no such admin API: its ADMIN_SECRET is not set, it is older than this program, or its address ends in a path such as /v1.'
  }
  return error?.message ? `${error.message} (${error.code})` : `The service answered ${status}.`
}

/** The secret that `npm run dev` created on this machine, used only with a service on this machine. */
const localSecret = async (env: NodeJS.ProcessEnv, url: string): Promise<string | undefined> => {
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'http:' || !isLoopback(hostname)) return undefined
  return (await keptSecrets(env.DATA_DIR || '.decider'))?.ADMIN_SECRET
}
