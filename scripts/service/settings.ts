import { resolve } from 'node:path'

export type Settings = {
  edgePort: number
  scorerPort: number
  /** Holds secrets, the demo keys and the Worker's state between starts. */
  dataDir: string
}

/** An unusable setting, in one sentence for the person at the terminal. */
export class SettingError extends Error {}

export const readSettings = (env: NodeJS.ProcessEnv): Settings => {
  const edgePort = port(env, 'EDGE_PORT', 8787)
  const scorerPort = port(env, 'SCORER_PORT', 8788)
  if (edgePort === scorerPort) throw new SettingError('EDGE_PORT and SCORER_PORT must differ.')
  return { edgePort, scorerPort, dataDir: resolve(env.DATA_DIR || '.decider') }
}

const port = (env: NodeJS.ProcessEnv, name: string, fallback: number): number => {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < 1 || value > 65_535)
    throw new SettingError(`${name} must be a port number from 1 to 65535.`)
  return value
}
