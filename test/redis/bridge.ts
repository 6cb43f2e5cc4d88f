import { createHash } from 'node:crypto'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { connectRedis, RedisError, type Reply } from './resp.ts'

// The part of Upstash's REST protocol that rate limiting needs, in front of a stock Redis.
// https://upstash.com/docs/redis/features/restapi

export type Bridge = { url: string; token: string; seen: string[][]; close(): Promise<void> }

export const startBridge = async (redisPort: number): Promise<Bridge> => {
  const redis = connectRedis(redisPort)
  const token = 'a token for tests'
  const seen: string[][] = []
  /** Maps the SHA-1 of a script as it was sent to that of the script loaded instead. */
  const loaded = new Map<string, string>()

  const run = async (command: string[]): Promise<Reply> => {
    seen.push(command)
    const [name = '', script = '', ...rest] = command
    switch (name.toLowerCase()) {
      case 'eval':
        return redis.send(['EVALSHA', await load(script), ...rest])
      case 'evalsha':
        return redis.send(['EVALSHA', loaded.get(script) ?? script, ...rest])
      default:
        return redis.send(command)
    }
  }

  /** Upstash's scripts begin with a flag that only Upstash knows and stock Redis refuses. */
  const load = async (script: string): Promise<string> => {
    const sha = await redis.send(['SCRIPT', 'LOAD', script.replace(/^#!lua flags=allow-key-locking\n/, '')])
    if (typeof sha !== 'string') throw new Error('Redis did not take the script.')
    loaded.set(createHash('sha1').update(script).digest('hex'), sha)
    return sha
  }

  const server = createServer(async (request, response) => {
    if (request.headers.authorization !== `Bearer ${token}`)
      return answer(response, 401, { error: 'WRONGPASS' })
    const encode = request.headers['upstash-encoding'] === 'base64' ? inBase64 : (reply: Reply) => reply
    const body = await json(request)
    try {
      if (request.url === '/pipeline') {
        const replies: object[] = []
        for (const command of body as unknown[][])
          replies.push(resultOf(await run(command.map(String)), encode))
        return answer(response, 200, replies)
      }
      const result = resultOf(await run((body as unknown[]).map(String)), encode)
      return answer(response, 'error' in result ? 400 : 200, result)
    } catch {
      return answer(response, 500, { error: 'The bridge lost Redis.' })
    }
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token,
    seen,
    close: async () => {
      redis.close()
      await closed(server)
    },
  }
}

const resultOf = (reply: Reply, encode: (reply: Reply) => Reply): { result: Reply } | { error: string } =>
  reply instanceof RedisError ? { error: reply.message } : { result: encode(reply) }

const inBase64 = (reply: Reply): Reply => {
  if (Array.isArray(reply)) return reply.map(inBase64)
  return typeof reply === 'string' && reply !== 'OK' ? Buffer.from(reply).toString('base64') : reply
}

const answer = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const closed = (server: Server): Promise<void> =>
  new Promise(resolve => {
    server.closeAllConnections()
    server.close(() => resolve())
  })
