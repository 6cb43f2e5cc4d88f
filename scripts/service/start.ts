import { join } from 'node:path'
import { type Child, startChild } from './child.ts'
import { createDemoAccount, type DemoKeys, demoKeysHold, keptDemoKeys } from './demo.ts'
import { ROOT, startEdge } from './edge.ts'
import { explain, healthy } from './health.ts'
import { lockFolder } from './lock.ts'
import { requireFreePort } from './ports.ts'
import { localSecrets, type Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import { buildWebIfStale } from './web-build.ts'

export type RunningService = {
  url: string
  keys: DemoKeys
  secrets: Secrets
  /** Settles with the reason if either process ends on its own. */
  failed: Promise<string>
  stop(): Promise<void>
}

export type StartOptions = {
  /** Receives the warnings of the Worker, and why a change of its source cannot run. */
  onEdgeOutput?: (text: string) => void
  /** Aborts the start: anything already started is stopped. */
  signal?: AbortSignal
}

/** Starts the scorer and the Worker on this machine and waits until both answer. */
export const startService = async (
  settings: Settings,
  options: StartOptions = {},
): Promise<RunningService> => {
  const release = await lockFolder(settings.dataDir)
  try {
    const service = await startIn(settings, options)
    return { ...service, stop: () => service.stop().finally(release) }
  } catch (error) {
    await release()
    throw error
  }
}

const startIn = async (
  settings: Settings,
  { onEdgeOutput = () => {}, signal }: StartOptions,
): Promise<RunningService> => {
  await requireFreePort(settings.edgePort, 'EDGE_PORT')
  await requireFreePort(settings.scorerPort, 'SCORER_PORT')
  await buildWebIfStale(ROOT)
  const secrets = await localSecrets(settings.dataDir)
  const url = `http://127.0.0.1:${settings.edgePort}`
  const scorerUrl = `http://127.0.0.1:${settings.scorerPort}`

  const startEdgeWith = (keys: DemoKeys | null): Promise<Child> =>
    startEdge({
      port: settings.edgePort,
      dataDir: settings.dataDir,
      env: {
        ...secrets,
        SCORER_URL: scorerUrl,
        ...(keys && { DEV_PLAYGROUND_KEY: keys.playground }),
      },
      onOutput: onEdgeOutput,
    })

  let keys = await keptDemoKeys(settings.dataDir)
  // The edge first: it may fail before it starts, and then nothing is left running.
  let edge = await startEdgeWith(keys)
  const scorer = startChild({
    name: 'The scorer',
    script: join(ROOT, 'scorer/main.ts'),
    env: {
      ...process.env,
      SCORER_PORT: String(settings.scorerPort),
      SCORER_SECRET: secrets.SCORER_SECRET,
    },
  })
  const stop = async () => {
    await edge.stop()
    await scorer.stop()
  }
  try {
    await Promise.all([healthy(scorer, scorerUrl, signal), healthy(edge, url, signal)])
    if (keys === null || !(await demoKeysHold(url, keys))) {
      keys = await createDemoAccount(url, secrets.ADMIN_SECRET, settings.dataDir)
      // The Worker learns its playground key only from its environment.
      await edge.stop()
      edge = await startEdgeWith(keys)
      await healthy(edge, url, signal)
    }
  } catch (error) {
    await stop()
    throw error
  }
  const failed = Promise.race([scorer, edge].map(async child => explain(child, await child.ended)))
  return { url, keys, secrets, failed, stop }
}
