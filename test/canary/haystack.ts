import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { type Find, findIn } from './needle.ts'

export type Leak = Find & { where: string }

/** Searches collected texts: logs, answers and what was sent to Redis. */
export const leaksInTexts = (where: string, texts: readonly string[], canaries: readonly string[]): Leak[] =>
  texts.flatMap((text, at) =>
    findIn(Buffer.from(text), canaries).map(find => ({ ...find, where: `${where} ${at}` })),
  )

/** Searches every file below a folder, including compressed ones. */
export const leaksInFolder = async (folder: string, canaries: readonly string[]): Promise<Leak[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const found = await Promise.all(
    files.map(async file => {
      const bytes = await readFile(file).catch(() => Buffer.alloc(0))
      return findIn(unpacked(bytes), canaries).map(find => ({ ...find, where: file }))
    }),
  )
  return found.flat()
}

const unpacked = (bytes: Buffer): Buffer => {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes)
  } catch {
    return bytes
  }
}
