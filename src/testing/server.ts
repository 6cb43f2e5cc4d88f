import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** The address of a server that runs until the test ends. For tests in Node. */
export const serverOf = (onRequest: RequestListener): Promise<string> => addressOf(createServer(onRequest))

export const addressOf = async (server: Server): Promise<string> => {
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
