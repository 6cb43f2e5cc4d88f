import { join } from 'node:path'
import { ROOT } from '../root.ts'
import { type Child, startChild } from './child.ts'
import { createDemoAccount, type DemoKeys, demoKeysHold, keptDemoKeys } from './demo.ts'
import { startEdge } from './edge.ts'
import { explain, healthy, Misconfigured, recovers } from './health.ts'
import { lockFolder } from './lock.ts'
import { malformedSettings } from './malformed.ts'
import { requireFreePort } from './ports.ts'
import { localSecrets, type Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'
import { buildWebIfStale } from './web-build.ts'

type RunningService = {
  url: string
  keys: DemoKeys
  secrets: Secrets
  /** Settles with the reason if either process ends on its own, or the edge no longer answers. */
  failed: Promise<string>
  stop(): Promise<void>
}

type StartOptions = {
  /** Receives the warnings of the Worker, and why a change of its source cannot run. */
  onEdgeOutput?: (text: string) => void
  /** Aborts the start: anything already started is stopped. */
  signal?: AbortSignal
}

/** What wrangler says when workerd has died. A system that runs out of memory kills it, for example. */
const CRASHED = 'crashed unexpectedly and is being restarted'

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

  const { promise: givenUp, resolve: giveUp } = Promise.withResolvers<string>()
  // Wrangler does restart workerd, but the one that has the port then waits for ever for what to serve. Only what
  // follows a crash is watched: a change of the source that cannot run makes the edge hang too, until it is mended.
  const watch = (text: string): void => {
    onEdgeOutput(text)
    if (!text.includes(CRASHED)) return
    const crashed = edge
    void recovers(crashed, url).then(answers => {
      if (!answers)
        giveUp(explain(crashed, `${crashed.name} no longer answers: its runtime, workerd, has died`))
    })
  }
  const startEdgeWith = (keys: DemoKeys | null): Promise<Child> =>
    startEdge({
      port: settings.edgePort,
      dataDir: settings.dataDir,
      env: {
        ...secrets,
        SCORER_URL: scorerUrl,
        ...(keys && { DEV_PLAYGROUND_KEY: keys.playground }),
      },
      onOutput: watch,
    })

  let keys = await keptDemoKeys(settings.dataDir)
  // The edge first: it may fail before it starts, and then nothing is left running.
  let edge = await startEdgeWith(keys)
  const scorer = startChild({
    name: 'The scorer',
    script: join(ROOT, 'scorer/main.ts'),
    env: {
      ...process.env,
      // Where the edge looks for it, and nobody from another machine can.
      SCORER_HOST: '127.0.0.1',
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
      keys = await createDemoAccount(url, secrets.ADMIN_SECRET, settings.dataDir).catch(async error => {
        // What keeps it from writing, such as a full disk, stands only in its log, which ends with it.
        await edge.stop()
        throw new Error(explain(edge, `The demo account could not be made (${error.message})`))
      })
      // The Worker learns its playground key only from its environment.
      await edge.stop()
      edge = await startEdgeWith(keys)
      await healthy(edge, url, signal)
    }
  } catch (error) {
    const malformed =
      error instanceof Misconfigured ? await malformedSettings(url, secrets.ADMIN_SECRET).catch(() => []) : []
    await stop()
    if (malformed.length > 0)
      throw new Error([`${edge.name} cannot use its settings.`, ...malformed].join('\n  '))
    throw error
  }
  const ended = [scorer, edge].map(async child => explain(child, await child.ended))
  const failed = Promise.race([givenUp, ...ended])
  return { url, keys, secrets, failed, stop }
}
