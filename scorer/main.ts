// The scorer's process: wires backend, core and router together and shuts them down in order.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { coreDumpsAllowed, emptyCoreDumps } from './core-dumps.ts'
import { endOnFault, forbidReports, stopOnSignal } from './lifecycle.ts'
import { createLog } from './log.ts'
import { noRuntime } from './no-runtime.ts'
import { noThreads } from './no-threads.ts'
import { createRouter } from './router/router.ts'
import { readSettings, type Settings, unknownSettings } from './settings.ts'
import { StartError } from './start-error.ts'

forbidReports()
emptyCoreDumps()
const log = createLog(line => process.stdout.write(line), Date.now)
const onFatal = endOnFault(log)
// A log that cannot be written, because the disk is full or nobody reads it, is no reason to end.
process.stdout.on('error', () => {})

try {
  const unknown = unknownSettings(process.env)
  if (unknown.length > 0) log.event('unknown_settings', { names: unknown.join(', ') })
  const settings = readSettings(process.env, { cores: availableParallelism(), memoryLimit: memoryLimit() })
  // Imported only here, because it loads onnxruntime, which can fail.
  const { startService } = await import('./service.ts').catch(noRuntime)
  const service = await startService(settings, {
    now: () => performance.now(),
    timeOfDay: Date.now,
    cacheSecret: randomBytes(32),
    log,
    onFatal,
  }).catch(noThreads)
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

/** The limit of the container or unit. Without one, Node returns 0 or a value beyond exact integers. */
function memoryLimit(): number {
  return Math.min(process.constrainedMemory() || Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER)
}

async function listen(server: Server, { host, port }: Settings): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening').catch((fault: NodeJS.ErrnoException) => {
    throw new StartError(`Cannot listen on SCORER_HOST and SCORER_PORT: ${fault.code ?? fault.name}`)
  })
}
