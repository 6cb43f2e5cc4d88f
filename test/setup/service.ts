// Starts the service once for all black-box tests: the built Worker, the real scorer, the shipped model.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import type { DemoKeys } from '../../scripts/service/demo.ts'
import { freePort } from '../../scripts/service/ports.ts'
import type { Secrets } from '../../scripts/service/secrets.ts'
import { startService } from '../../scripts/service/start.ts'

declare module 'vitest' {
  interface ProvidedContext {
    service: { url: string; scorerUrl: string; keys: DemoKeys; secrets: Secrets }
  }
}

export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'decider-test-'))
  const scorerPort = await freePort()
  const service = await startService({ edgePort: await freePort(), scorerPort, dataDir })
  const { url, keys, secrets } = service
  project.provide('service', { url, scorerUrl: `http://127.0.0.1:${scorerPort}`, keys, secrets })
  return async () => {
    await service.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
