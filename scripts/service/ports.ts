import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { SettingError } from './settings.ts'

const TAKEN = 'EADDRINUSE'

/** Fails with one clear sentence when something already listens there. */
export const requireFreePort = async (port: number, variable: string): Promise<void> => {
  const why = await obstacle(port)
  if (why === null) {
    if (await isAsked(port)) return
    throw new SettingError(
      `Port ${port} belongs to another protocol, and browsers refuse to open it. Set ${variable} to another port.`,
    )
  }
  throw new SettingError(
    why === TAKEN
      ? `Port ${port} is in use. Stop the program that uses it, or set ${variable} to another port.`
      : `Port ${port} cannot be opened (${why}). Set ${variable} to another port.`,
  )
}

/** Systems give higher ports to connections and to whoever asks for any port, perhaps before the caller uses this one. */
const BELOW_THOSE_GIVEN_AWAY = [20_000, 32_000] as const

/** A port that nothing is listening on at the moment. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(...BELOW_THOSE_GIVEN_AWAY)
    const why = await obstacle(port)
    if (why === null) return port
    if (why !== TAKEN) throw new Error(`Port ${port} cannot be opened (${why}).`)
  }
}

/** Whether `fetch` asks such a port: it has a list of those it does not, as browsers have (https://fetch.spec.whatwg.org/#port-blocking). */
const isAsked = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}`).then(
    () => true,
    ({ cause }: { cause?: Error }) => cause?.message !== 'bad port',
  )

/** Why nobody can listen there now, as the system puts it; null if somebody can. */
const obstacle = (port: number): Promise<string | null> =>
  new Promise(resolve => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(null)))
  })
