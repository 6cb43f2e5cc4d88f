import { join } from 'node:path'
import { type Child, startChild } from './child.ts'
import { createDemoAccount, type DemoKeys, keptDemoKeys } from './demo.ts'
import { requireFreePort } from './ports.ts'
import { localSecrets, type Secrets, writePrivate } from './secrets.ts'
import type { Settings } from './settings.ts'
import { buildWebIfStale } from './web-build.ts'

export type RunningService = {
  url: string
  scorerUrl: string
  keys: DemoKeys
  secrets: Secrets
  /** Settles when either process ends by itself, with the reason. */
  failed: Promise<string>
  stop(): Promise<void>
}

const START_DEADLINE_MS = 120_000
const ROOT = join(import.meta.dirname, '..', '..')

export type StartOptions = {
  /** More variables of the Worker's environment. */
  vars?: Record<string, string>
  /** Gives the start up: what was started is stopped again. */
  signal?: AbortSignal
}

/** Starts the scorer and the Worker on this machine and waits until both answer. */
export const startService = async (
  settings: Settings,
  { vars = {}, signal = new AbortController().signal }: StartOptions = {},
): Promise<RunningService> => {
  await requireFreePort(settings.edgePort, 'EDGE_PORT')
  await requireFreePort(settings.scorerPort, 'SCORER_PORT')
  await buildWebIfStale(ROOT)
  const secrets = await localSecrets(settings.dataDir)
  const url = `http://127.0.0.1:${settings.edgePort}`
  const scorerUrl = `http://127.0.0.1:${settings.scorerPort}`

  const startEdge = async (keys: DemoKeys | null): Promise<Child> => {
    const file = join(settings.dataDir, 'worker.env')
    const env = {
      ...secrets,
      SCORER_URL: scorerUrl,
      ...(keys && { DEV_PLAYGROUND_KEY: keys.playground }),
      ...vars,
    }
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
        ...[
          'dev',
          '--cwd',
          ROOT,
          '--ip',
          '127.0.0.1',
          '--port',
          String(settings.edgePort),
          '--inspector-port',
          '0',
        ],
        ...['--persist-to', join(settings.dataDir, 'state'), '--env-file', file, '--log-level', 'warn'],
        '--show-interactive-dev-session=false',
      ],
      { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' },
    )
  }

  let keys = await keptDemoKeys(settings.dataDir)
  const scorer = startChild('The scorer', join(ROOT, 'scorer/main.ts'), [], {
    ...process.env,
    SCORER_PORT: String(settings.scorerPort),
    SCORER_SECRET: secrets.SCORER_SECRET,
  })
  let edge = await startEdge(keys)
  const stop = async () => {
    await edge.stop()
    await scorer.stop()
  }
  try {
    await Promise.all([healthy(scorer, scorerUrl, signal), healthy(edge, url, signal)])
    if (keys === null) {
      keys = await createDemoAccount(url, secrets.ADMIN_SECRET, settings.dataDir)
      // The Worker learns its playground key only from its environment.
      await edge.stop()
      edge = await startEdge(keys)
      await healthy(edge, url, signal)
    }
  } catch (error) {
    await stop()
    throw error
  }
  const failed = Promise.race([scorer, edge].map(async child => explain(child, await child.ended)))
  return { url, scorerUrl, keys, secrets, failed, stop }
}

const healthy = async (child: Child, url: string, signal: AbortSignal): Promise<void> => {
  let ended: string | null = null
  void child.ended.then(reason => {
    ended = reason
  })
  for (const start = Date.now(); Date.now() - start < START_DEADLINE_MS; ) {
    signal.throwIfAborted()
    if (ended !== null) throw new Error(explain(child, ended))
    const health = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) })
      .then(answer => answer.json() as Promise<{ ok: boolean }>)
      .catch(() => null)
    if (health?.ok === true) return
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  throw new Error(explain(child, `${child.name} did not become healthy within ${START_DEADLINE_MS / 1000} s`))
}

const explain = (child: Child, reason: string): string => [`${reason}.`, ...child.lastLines()].join('\n  ')
