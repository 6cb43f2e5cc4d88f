import { Agent, type IncomingMessage, request } from 'node:http'

export type Call = { url: string; headers: Record<string, string>; body: Buffer }

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** One request on a kept connection, read to its end. */
const call = ({ url, headers, body }: Call): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const sent = request(url, {
      agent,
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
    })
    sent.on('error', reject)
    sent.on('response', (response: IncomingMessage) => {
      const chunks: Buffer[] = []
      response.on('error', reject)
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
      )
    })
    sent.end(body)
  })

/** Repeats one request, `atOnce` at a time; every answer must have the expected status. */
export const repeat = async (what: Call, times: number, atOnce: number, expected: number): Promise<void> => {
  let left = times
  const lane = async () => {
    while (left-- > 0) {
      const { status, body } = await call(what)
      if (status !== expected) throw new Error(`${what.url} answered ${status}: ${body.slice(0, 300)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
}

export const hangUp = (): void => agent.destroy()
