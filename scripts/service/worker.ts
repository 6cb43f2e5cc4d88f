// The Worker on this machine, in a process of its own: `node worker.ts <port> <state folder> <environment file>`.
import { join } from 'node:path'
import { unstable_startWorker } from 'wrangler'

const [port, persist = '', envFile = ''] = process.argv.slice(2)

// As `wrangler dev` would, but for what only this can turn off: its inspector and its registry of Workers open ports
// that ask nobody who they are. Any web page or user of this machine that finds the first reads all of the Worker's
// memory, its secrets and what it is asked.
await unstable_startWorker({
  // A data folder of an earlier start holds its state under this name.
  name: 'decider',
  config: join(import.meta.dirname, '..', '..', 'wrangler.toml'),
  envFiles: [envFile],
  dev: { server: { hostname: '127.0.0.1', port: Number(port) }, persist, inspector: false },
})
