import { join } from 'node:path'
import { type Child, startChild } from './child.ts'
import { writePrivate } from './secrets.ts'

type EdgeSettings = {
  port: number
  /** Holds the Worker's state and its environment. */
  dataDir: string
  /** Variables and secrets of the Worker. */
  env: Record<string, string>
  logLevel?: 'warn' | 'log'
  onOutput?: (text: string) => void
}

/** Variables that a shell may set for a deployment. Wrangler would let them override the Worker's file. */
const OF_A_DEPLOYMENT = [
  'CLOUDFLARE_ENV',
  'DEV_PLAYGROUND_KEY',
  'PAYMENTS',
  'SECRET_SCANNING_KEYS_TOKEN',
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
  return startChild({
    name: `The edge (wrangler dev, its state in ${state})`,
    script: join(import.meta.dirname, 'worker.ts'),
    args: [String(port), state, file],
    env: {
      ...without(process.env, [...Object.keys(env), ...OF_A_DEPLOYMENT]),
      CI: 'true',
      // A shell may tell wrangler to leave such files unread. The Worker's is all that it has.
      CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: 'true',
      // Otherwise wrangler uses the home folder, and ends if it cannot write there. If that has a `.wrangler`, as older
      // versions made it, it uses that whatever the second says.
      HOME: dataDir,
      XDG_CONFIG_HOME: dataDir,
      // Wrangler would write its own trace of each request, including the URL, to disk.
      X_LOCAL_OBSERVABILITY: 'false',
      // Anyone who reached the port could run SQL on the Durable Objects, and credit an account, without a key.
      X_LOCAL_EXPLORER: 'false',
      // It would report usage, check for a newer version, ask Cloudflare where this machine is, and write logs to the
      // home folder, some hundred bytes per request.
      WRANGLER_SEND_METRICS: 'false',
      WRANGLER_LOG: logLevel,
      CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      WRANGLER_WRITE_LOGS: 'false',
    },
    onOutput,
  })
}

const without = (env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)))
