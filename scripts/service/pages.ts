import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'

const ROOT = join(import.meta.dirname, '..', '..')
const BUILT = join(ROOT, 'dist', 'web', 'index.html')
/** Whatever the pages are made of. */
const SOURCES = ['web', 'src/json', 'package-lock.json']

/** Builds the pages the Worker serves, when that was never done or something they are made of is newer. */
export const buildPagesWhenStale = async (): Promise<void> => {
  const built = await stat(BUILT).then(
    file => file.mtimeMs,
    () => 0,
  )
  const changed = await Promise.all(SOURCES.map(source => newest(join(ROOT, source))))
  if (built > Math.max(...changed)) return
  await build({ root: join(ROOT, 'web'), logLevel: 'warn' })
}

const newest = async (path: string): Promise<number> => {
  const entry = await stat(path)
  if (!entry.isDirectory()) return entry.mtimeMs
  const names = await readdir(path)
  return Math.max(entry.mtimeMs, ...(await Promise.all(names.map(name => newest(join(path, name))))))
}
