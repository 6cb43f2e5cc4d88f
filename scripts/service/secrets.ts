import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SettingError } from './settings.ts'

export type Secrets = {
  SCORER_SECRET: string
  TENANT_SECRET: string
  PROFILE_KEYS: string
  ADMIN_SECRET: string
}

/** The local service's own secrets: created once, readable only by their owner, the same at every start. */
export const localSecrets = async (dataDir: string): Promise<Secrets> => {
  const file = join(dataDir, 'secrets.json')
  const kept = await readPrivate<Secrets>(file)
  if (kept !== null) return kept
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

/** Writes a file that only its owner can read, all at once: a start killed midway leaves the old file. */
export const writePrivate = async (file: string, text: string): Promise<void> => {
  const draft = `${file}.new`
  await rm(draft, { force: true })
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' })
  await rename(draft, file)
}

/** The contents of such a file, as JSON; null if there is none. The parser's own message would quote a secret. */
export const readPrivate = async <Content>(file: string): Promise<Content | null> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    // Replacing it with new secrets would invalidate what the old ones signed.
    throw new SettingError(`${file} cannot be read. Fix it, or set DATA_DIR to another folder.`)
  })
  if (text === null) return null
  try {
    return JSON.parse(text) as Content
  } catch {
    throw new SettingError(`${file} is damaged. Fix it, or set DATA_DIR to another folder.`)
  }
}
