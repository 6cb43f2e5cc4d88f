import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { HEADERS } from '../protocol.ts'
import { sign } from './scorer.ts'

/** Sends the headers of a request to score, signed unless told otherwise, and nothing of its body. */
export const openRequest = (
  url: string,
  bodyBytes: number,
  { tenant = '', signature = sign(new Uint8Array(), { tenant }) } = {},
): Socket => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.write(
    `POST /score HTTP/1.1\r\nHost: x\r\nContent-Length: ${bodyBytes}\r\n${HEADERS.tenant}: ${tenant}\r\n${HEADERS.signature}: ${signature}\r\n\r\n`,
  )
  return socket
}
