import { join } from 'node:path'
import { type Child, startChild } from './child.ts'
import { writePrivate } from './secrets.ts'

export const ROOT = join(import.meta.dirname, '..', '..')

export type EdgeSettings = {
  port: number
  /** Holds the Worker's state and its environment. */
  dataDir: string
  /** Variables and secrets of the Worker. */
  env: Record<string, string>
  logLevel?: 'warn' | 'log'
  onOutput?: (text: string) => void
}

/** Names that a shell may hold for a deployment, where wrangler would let them win over the Worker's file. */
const OF_A_DEPLOYMENT = [
  'CLOUDFLARE_ENV',
  'DEV_PLAYGROUND_KEY',
  'PAYMENTS',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'UPSTASH_REDIS_REST_URL',
  'UPSTASH_REDIS_REST_TOKEN',
]

/** Starts the Worker on this machine. */
export const startEdge = async ({
  port,
  dataDir,
  env,
  logLevel = 'warn',
  onOutput,
}: EdgeSettings): Promise<Child> => {
  const file = join(dataDir, 'worker.env')
  await writePrivate(
    file,
    Object.entries(env)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join(''),
  )
  const state = join(dataDir, 'state')
  return startChild(
    `The edge (wrangler dev, its state in ${state})`,
    join(import.meta.dirname, 'worker.ts'),
    [String(port), state, file],
    {
      ...without(process.env, [...Object.keys(env), ...OF_A_DEPLOYMENT]),
      CI: 'true',
      // What it keeps in the home folder otherwise, and ends where it cannot.
      XDG_CONFIG_HOME: dataDir,
      // Wrangler's own trace of each request, URL and all, would be written to disk.
      X_LOCAL_OBSERVABILITY: 'false',
      // Whoever reached the port could run SQL on the Durable Objects, and give an account credit, without a key.
      X_LOCAL_EXPLORER: 'false',
      // It would report its use, look for a newer version, ask Cloudflare where this machine is, and log in the home
      // folder, some hundred bytes for every request.
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_LOG: logLevel,
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      WRANGLER_WRITE_LOGS: 'false',
    },
    onOutput,
  )
}

const without = (env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)))
