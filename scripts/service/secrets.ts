import { randomBytes } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { SettingError } from './settings.ts'

const Secrets = v.object({
  SCORER_SECRET: v.string(),
  TENANT_SECRET: v.string(),
  PROFILE_KEYS: v.string(),
  ADMIN_SECRET: v.string(),
})
export type Secrets = v.InferOutput<typeof Secrets>

/** The local service's own secrets: created once, readable only by their owner, the same at every start. */
export const localSecrets = async (dataDir: string): Promise<Secrets> => {
  const kept = await keptSecrets(dataDir)
  if (kept !== null) return kept
  const key = () => randomBytes(32).toString('base64url')
  const secrets: Secrets = {
    SCORER_SECRET: `local:${key()}`,
    TENANT_SECRET: key(),
    PROFILE_KEYS: `local1:${key()}`,
    ADMIN_SECRET: key(),
  }
  await writePrivate(fileIn(dataDir), `${JSON.stringify(secrets, null, 2)}\n`)
  return secrets
}

/** The secrets that an earlier start made, if there was one. */
export const keptSecrets = (dataDir: string): Promise<Secrets | null> => readPrivate(fileIn(dataDir), Secrets)

const fileIn = (dataDir: string): string => join(dataDir, 'secrets.json')

/** Writes a file that only its owner can read, all at once: a start killed midway leaves the old file. */
export const writePrivate = async (file: string, text: string): Promise<void> => {
  const draft = `${file}.new`
  await rm(draft, { force: true })
  await writeFile(draft, text, { mode: 0o600, flag: 'wx' })
  await rename(draft, file)
}

/** The contents of such a file, as JSON; null if there is none. The parser's own message would quote a secret. */
export const readPrivate = async <Schema extends v.GenericSchema>(
  file: string,
  schema: Schema,
): Promise<v.InferInput<Schema> | null> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    // Replacing it with new secrets would invalidate what the old ones signed.
    throw new SettingError(`${file} cannot be read. Fix it, or set DATA_DIR to another folder.`)
  })
  if (text === null) return null
  const content = parsed(text)
  if (v.is(schema, content)) return content
  throw new SettingError(`${file} is damaged. Fix it, or set DATA_DIR to another folder.`)
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
