// Assembles the service: snapshots, engine, core and what the router exposes of them.
import type { Backend, MemoryPool } from './backend/backend.ts'
import { openBackend } from './backend/open.ts'
import { createCore } from './core/core.ts'
import { createMemoryPool } from './core/memory/memory-pool.ts'
import { createMetrics, watchService } from './core/metrics/scorer-metrics.ts'
import { openIntake } from './core/reading/intake.ts'
import { resolveAliases } from './core/snapshot/aliases.ts'
import { publicInfo } from './core/snapshot/description.ts'
import { loadSnapshots, type Snapshot } from './core/snapshot/load.ts'
import { instructionMemory } from './instruction-memory.ts'
import { describeFault, type Log } from './log.ts'
import { PROTOCOL, REGION } from './protocol.ts'
import { refusedSignatures } from './refused-signatures.ts'
import type { RouterParts } from './router/router.ts'
import { CACHE_LIFETIME_MS, type Settings } from './settings.ts'
import { StartError } from './start-error.ts'
import { stateMemory } from './state-memory.ts'

type Service = {
  routes: RouterParts
  drain(): Promise<void>
  close(): Promise<void>
  /** Logged when the service listens. */
  facts: Readonly<Record<string, string | number>>
}

type ServiceParts = {
  /** Milliseconds that pass evenly, whatever is done to the machine's clock. */
  now: () => number
  /** Milliseconds since 1970, as the edge counts them. */
  timeOfDay: () => number
  cacheSecret: Uint8Array
  log: Log
  /** Called when a thread has died or the engine is beyond help: the service cannot go on then. */
  onFatal: (fault: unknown) => void
}

export const startService = async (
  settings: Settings,
  { now, timeOfDay, cacheSecret, log, onFatal }: ServiceParts,
): Promise<Service> => {
  const snapshots = await loadSnapshots(settings.modelsFolder)
  const aliases = resolveAliases(snapshots, settings.aliases)
  const intake = openIntake({ snapshots, cacheSecret }, onFatal)
  const instructionBytes = await instructionMemory(settings, snapshots)
  const scratch = createMemoryPool(instructionBytes, setImmediate)
  const backends = await openBackends(snapshots, settings, scratch, onFatal)
  const residentBytes = process.memoryUsage.rss()
  const memoryBytes = stateMemory(settings, instructionBytes, snapshots, backends, residentBytes)

  const metrics = createMetrics()
  const onFault = (fault: unknown) => log.event('fault', describeFault(fault))
  const core = createCore({
    intake,
    backends,
    limits: { ...settings, memoryBytes, cacheLifetimeMs: CACHE_LIFETIME_MS },
    metrics,
    now,
    onFault,
  })
  const engine = [...new Set([...backends.values()].map(backend => backend.engine))].join(', ')
  watchService(metrics, { ...settings, ready: () => !core.draining() })
  const infos = snapshots.map(({ description }) => publicInfo(description))
  return {
    routes: {
      core,
      keys: settings.keys,
      now,
      timeOfDay,
      health: () => ({
        ok: true,
        ready: !core.draining(),
        version: settings.version,
        protocol: PROTOCOL,
        engine,
        region: REGION,
        snapshots: infos,
        aliases,
      }),
      metricsText: metrics.text,
      onRequest: metrics.requests.add,
      onRefusedSignature: refusedSignatures(log),
      onFault,
    },
    drain: core.drain,
    close: async () => {
      await Promise.all([intake.close(), ...[...backends.values()].map(backend => backend.close())])
    },
    facts: {
      version: settings.version,
      protocol: PROTOCOL,
      engine,
      snapshots: infos.map(({ id }) => id).join(' '),
      keyIds: [...settings.keys.keys()].join(' '),
      stateMemoryBytes: memoryBytes,
    },
  }
}

const openBackends = async (
  snapshots: readonly Snapshot[],
  { provider, workers, threads }: Settings,
  scratch: MemoryPool,
  onFault: (fault: unknown) => void,
): Promise<ReadonlyMap<string, Backend>> => {
  const backends = new Map<string, Backend>()
  for (const { folder, description } of snapshots) {
    const opening = openBackend(folder, { provider, workers, threads, scratch, onFault })
    const backend = await opening.catch((fault: unknown) => {
      const why = fault instanceof Error ? fault.message : 'unknown fault'
      throw new StartError(`${description.id} cannot be opened with SCORER_PROVIDER=${provider}: ${why}`)
    })
    backends.set(description.id, backend)
  }
  return backends
}
