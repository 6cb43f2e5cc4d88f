// For tests of the processes that make the service.
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { newFolder } from '../../test/folder.ts'
import { startChild } from './child.ts'

/** A process that runs the given source, until the test ends. */
export const startSource = async (source: string, env = process.env, onOutput?: (text: string) => void) => {
  const script = join(await newFolder(), 'main.mjs')
  await writeFile(script, source)
  const child = startChild({ name: 'The edge', script, env, onOutput })
  onTestFinished(child.kill)
  return child
}

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
