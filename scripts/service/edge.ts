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
  return startChild(
    'The edge (wrangler dev)',
    join(ROOT, 'node_modules/wrangler/bin/wrangler.js'),
    [
      ...['dev', '--cwd', ROOT, '--ip', '127.0.0.1', '--port', String(port), '--inspector-port', '0'],
      ...['--persist-to', join(dataDir, 'state'), '--env-file', file, '--log-level', logLevel],
      '--show-interactive-dev-session=false',
    ],
    {
      ...process.env,
      WRANGLER_SEND_METRICS: 'false',
      CI: 'true',
      // Wrangler's own trace of each request, URL and all, would be written to disk.
      X_LOCAL_OBSERVABILITY: 'false',
    },
    onOutput,
  )
}
