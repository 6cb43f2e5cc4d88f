import { connect, type Socket } from 'node:net'

export type Reply = null | string | number | Reply[] | RedisError
export class RedisError extends Error {}

/** A connection that speaks Redis's own protocol: one reply per command, in order. */
export const connectRedis = (port: number): { send(command: string[]): Promise<Reply>; close(): void } => {
  const socket: Socket = connect(port, '127.0.0.1')
  const waiting: { resolve(reply: Reply): void; reject(error: Error): void }[] = []
  let unread = Buffer.alloc(0)
  socket.on('data', chunk => {
    unread = Buffer.concat([unread, chunk])
    for (let parsed = readReply(unread, 0); parsed !== null; parsed = readReply(unread, 0)) {
      unread = unread.subarray(parsed.end)
      waiting.shift()?.resolve(parsed.reply)
    }
  })
  const fail = (): void => {
    for (const { reject } of waiting.splice(0)) reject(new Error('The connection to Redis is gone.'))
  }
  socket.on('error', fail)
  socket.on('close', fail)
  return {
    send: command =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('The connection to Redis is gone.'))
        waiting.push({ resolve, reject })
        const parts = command.map(part => `$${Buffer.byteLength(part)}\r\n${part}\r\n`)
        socket.write(`*${command.length}\r\n${parts.join('')}`)
      }),
    close: () => socket.destroy(),
  }
}

type Parsed = { reply: Reply; end: number }

/** Null while the reply is incomplete. */
const readReply = (bytes: Buffer, start: number): Parsed | null => {
  const lineEnd = bytes.indexOf('\r\n', start)
  if (lineEnd < 0) return null
  const line = bytes.toString('utf8', start + 1, lineEnd)
  const end = lineEnd + 2
  switch (String.fromCharCode(bytes[start] ?? 0)) {
    case '+':
      return { reply: line, end }
    case '-':
      return { reply: new RedisError(line), end }
    case ':':
      return { reply: Number(line), end }
    case '$': {
      const length = Number(line)
      if (length < 0) return { reply: null, end }
      if (bytes.length < end + length + 2) return null
      return { reply: bytes.toString('utf8', end, end + length), end: end + length + 2 }
    }
    case '*':
      return readArray(bytes, end, Number(line))
    default:
      throw new Error('Redis said something that is not its protocol.')
  }
}

const readArray = (bytes: Buffer, start: number, length: number): Parsed | null => {
  if (length < 0) return { reply: null, end: start }
  const replies: Reply[] = []
  let end = start
  while (replies.length < length) {
    const next = readReply(bytes, end)
    if (next === null) return null
    replies.push(next.reply)
    end = next.end
  }
  return { reply: replies, end }
}
