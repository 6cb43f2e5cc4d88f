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

/** The local service's own secrets: made once, readable by their owner alone, the same at every start. */
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

/** Readable by its owner alone, and whole: a start that is killed in the middle leaves what was there. */
export const writePrivate = async (file: string, text: string): Promise<void> => {
  const draft = `${file}.new`
  await rm(draft, { force: true })
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' })
  await rename(draft, file)
}

/** What such a file holds, as JSON; null where there is none. The parser's own words would quote a secret. */
export const readPrivate = async <Content>(file: string): Promise<Content | null> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    // New secrets in its place would be the end of what the old ones signed.
    throw new SettingError(`${file} cannot be read: put it right, or set DATA_DIR to another folder.`)
  })
  if (text === null) return null
  try {
    return JSON.parse(text) as Content
  } catch {
    throw new SettingError(`${file} is damaged: put it right, or set DATA_DIR to another folder.`)
  }
}
