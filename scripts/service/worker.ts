// The Worker on this machine, in its own process: `node worker.ts <port> <state folder> <environment file>`.
import { readdir, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { unstable_readConfig, unstable_startWorker } from 'wrangler'

const [port, persist = '', envFile = ''] = process.argv.slice(2)
const root = join(import.meta.dirname, '..', '..')
const config = join(root, 'wrangler.toml')
const isQuiet = process.env.WRANGLER_LOG === 'warn'

try {
  unstable_readConfig({ config }, { hideWarnings: true })
} catch (error) {
  // Further below it would be a rejection that nothing can catch, with the whole file in it.
  const { message, location } = error as Error & { location?: { line: number; lineText: string } }
  console.error(location ? `${message} (line ${location.line}: ${location.lineText})` : message)
  process.exit(1)
}

// Like `wrangler dev`, but with two things off that only this API can turn off: the inspector and the registry of
// Workers, which open ports without authentication. Any web page or user of this machine that finds the inspector can
// read all of the Worker's memory, including its secrets and the requests.
const worker = await unstable_startWorker({
  // A data folder of an earlier start holds its state under this name.
  name: 'decider',
  config,
  envFiles: [envFile],
  dev: {
    server: { hostname: '127.0.0.1', port: Number(port) },
    persist,
    inspector: false,
    // Passed on unchanged: an [ERROR] comes from wrangler and ends a start. A scorer that is not there yet does not.
    structuredLogsHandler: ({ level, message }: { level: string; message: string }) => {
      if (!isQuiet || level === 'error' || level === 'warn') console.error(message)
    },
  },
})
// Wrangler says nothing about a Worker that cannot run at all.
worker.raw.on('error', ({ cause, message }) => console.error(`[ERROR] ${cause?.message ?? message}`))

const KEEP_EVERY_MS = 10_000
/**
 * Every wrangler that starts here, as a test or a deployment does, removes what is a day old in this folder. A Worker
 * whose bundle is removed answers nothing any more.
 */
const keepBundle = async () => {
  const folder = join(root, '.wrangler/tmp')
  const now = new Date()
  for (const name of await readdir(folder).catch(() => []))
    await utimes(join(folder, name), now, now).catch(() => {})
}
setInterval(keepBundle, KEEP_EVERY_MS).unref()

const LOOK_EVERY_MS = 1_000
/** To start anew takes about as long. */
const SET_BACK_MS = 5_000
/** How far the time of day is ahead of a clock that nobody sets. */
const ahead = () => Date.now() - performance.now()
let lastAhead = ahead()
/**
 * Inside an object in memory, the clock is never set back: it stands still, and every timer waits, until the machine's
 * has caught up. Limits would stay used up, and usage would not be booked.
 */
const startAnewIfSetBack = () => {
  const before = lastAhead
  lastAhead = ahead()
  if (before - lastAhead < SET_BACK_MS) return
  console.error('The clock of this machine was set back: the edge starts anew.')
  // As if its source had changed.
  void worker.patchConfig({})
}
setInterval(startAnewIfSetBack, LOOK_EVERY_MS).unref()
