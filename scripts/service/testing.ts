// For tests of what runs on this machine.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A proxy that gets nobody anywhere: what it was asked for, and the variables of a shell that names it for everything. */
export const startProxy = async () => {
  const asked: string[] = []
  const proxy = createServer(({ url }, response) => asked.push(`${url}`) && response.writeHead(502).end())
  proxy.on('connect', ({ url }, socket) => asked.push(`${url}`) && socket.end('HTTP/1.1 502 No\r\n\r\n'))
  onTestFinished(() => void proxy.close())
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return { asked, env: { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: address, HTTPS_PROXY: address } }
}
