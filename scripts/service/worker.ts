// The Worker on this machine, in a process of its own: `node worker.ts <port> <state folder> <environment file>`.
import { join } from 'node:path'
import { unstable_readConfig, unstable_startWorker } from 'wrangler'

const [port, persist = '', envFile = ''] = process.argv.slice(2)
const config = join(import.meta.dirname, '..', '..', 'wrangler.toml')
const isQuiet = process.env.WRANGLER_LOG === 'warn'

try {
  unstable_readConfig({ config }, { hideWarnings: true })
} catch (error) {
  // Below it would be a rejection that nothing can catch, with all of the file in it.
  const { message, location } = error as Error & { location?: { line: number; lineText: string } }
  console.error(location ? `${message} (line ${location.line}: ${location.lineText})` : message)
  process.exit(1)
}

// As `wrangler dev` would, but for what only this can turn off: its inspector and its registry of Workers open ports
// that ask nobody who they are. Any web page or user of this machine that finds the first reads all of the Worker's
// memory, its secrets and what it is asked.
const worker = await unstable_startWorker({
  // A data folder of an earlier start holds its state under this name.
  name: 'decider',
  config,
  envFiles: [envFile],
  dev: {
    server: { hostname: '127.0.0.1', port: Number(port) },
    persist,
    inspector: false,
    // As it was written: an [ERROR] is wrangler's own, and ends a start. That the scorer is not there yet does not.
    structuredLogsHandler: ({ level, message }: { level: string; message: string }) => {
      if (!isQuiet || level === 'error' || level === 'warn') console.error(message)
    },
  },
})
// Of a Worker that cannot run at all wrangler says nothing.
worker.raw.on('error', ({ cause, message }) => console.error(`[ERROR] ${cause?.message ?? message}`))
