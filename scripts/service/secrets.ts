import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Secrets = {
  SCORER_SECRET: string
  TENANT_SECRET: string
  PROFILE_KEYS: string
  ADMIN_SECRET: string
}

/** The local service's own secrets: made once, readable by their owner alone, the same at every start. */
export const localSecrets = async (dataDir: string): Promise<Secrets> => {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, 'secrets.json')
  const kept = await readFile(file, 'utf8').catch(() => null)
  if (kept !== null) return JSON.parse(kept) as Secrets
  const key = () => randomBytes(32).toString('base64url')
  const secrets: Secrets = {
    SCORER_SECRET: `local:${key()}`,
    TENANT_SECRET: key(),
    PROFILE_KEYS: `local1:${key()}`,
    ADMIN_SECRET: key(),
  }
  await writePrivate(file, `${JSON.stringify(secrets, null, 2)}\n`)
  return secrets
}

export const writePrivate = async (file: string, text: string): Promise<void> => {
  await writeFile(file, text, { mode: 0o600 })
  await chmod(file, 0o600)
}
