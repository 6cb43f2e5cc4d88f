// The scorer's process: wires backend, core and router together, and ends them in order.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { coreDumpsAllowed, emptyCoreDumps } from './core-dumps.ts'
import { endOnFault, forbidReports, stopOnSignal } from './lifecycle.ts'
import { createLog } from './log.ts'
import { createRouter } from './router/router.ts'
import { startService } from './service.ts'
import { readSettings, type Settings } from './settings.ts'
import { StartError } from './start-error.ts'

forbidReports()
emptyCoreDumps()
const now = () => Date.now()
const log = createLog(line => process.stdout.write(line), now)
const onFatal = endOnFault(log)
// A log whose disk is full, or that nobody takes any more, is no reason to end.
process.stdout.on('error', () => {})

try {
  const settings = readSettings(process.env, { cores: availableParallelism(), memoryLimit: memoryLimit() })
  const service = await startService(settings, { now, cacheSecret: randomBytes(32), log, onFatal })
  const server = createRouter(service.routes)
  await listen(server, settings)
  stopOnSignal({ server, drain: service.drain, close: service.close, drainMs: settings.drainMs, log })
  if (coreDumpsAllowed()) log.event('core_dumps_allowed', { advice: 'start with ulimit -c 0' })
  log.event('listening', { port: (server.address() as AddressInfo).port, ...service.facts })
} catch (fault) {
  if (!(fault instanceof StartError)) onFatal(fault)
  else {
    process.stderr.write(`${fault.message}\n`)
    process.exit(1)
  }
}

/** Of the container or unit. Where there is none Node says 0, or more than a number counts exactly. */
function memoryLimit(): number {
  return Math.min(process.constrainedMemory() || Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
}

async function listen(server: Server, { host, port }: Settings): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening').catch((fault: NodeJS.ErrnoException) => {
    throw new StartError(`SCORER_HOST and SCORER_PORT cannot be listened on: ${fault.code ?? fault.name}`)
  })
}
