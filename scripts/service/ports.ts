import { type AddressInfo, createServer } from 'node:net'
import { SettingError } from './settings.ts'

/** Fails with one clear sentence when something already listens there. */
export const requireFreePort = (port: number, variable: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', error => {
      const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      reject(
        new SettingError(
          taken
            ? `Port ${port} is in use. Stop the program that uses it, or set ${variable} to another port.`
            : `Port ${port} cannot be opened (${(error as NodeJS.ErrnoException).code}). Set ${variable} to another port.`,
        ),
      )
    })
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve()))
  })

/** A port that nothing is listening on at the moment. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
