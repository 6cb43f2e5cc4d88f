import { execFile } from 'node:child_process'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SettingError } from './settings.ts'

/** What the pages are made of, down to single files of other parts. */
export const SOURCES = [
  'web',
  'src',
  'scorer/limits.ts',
  'examples/support-tickets.jsonl',
  'package-lock.json',
]
const BUILT = 'dist/web/index.html'

/** Builds the pages that the Worker serves, unless the build is newer than all its sources. */
export const buildWebIfStale = async (root: string): Promise<void> => {
  const built = await stat(join(root, BUILT)).catch(() => null)
  const newest = Math.max(...(await Promise.all(SOURCES.map(path => newestChange(join(root, path))))))
  // A build from when the clock was ahead would look newer than what was changed since.
  if (built !== null && built.mtimeMs > newest && built.mtimeMs <= Date.now()) return
  if (/[#?*\\]/.test(root))
    throw new SettingError(
      `Vite cannot build the pages in ${root}. Move the repository to a path without #, ?, * and \\.`,
    )
  const vite = join(root, 'node_modules/vite/bin/vite.js')
  const building = promisify(execFile)(process.execPath, [vite, 'build', 'web', '--logLevel', 'warn'], {
    cwd: root,
  })
  await building.catch((fault: Error & { stderr: string }) => {
    throw new Error(`The pages could not be built.\n${withoutStacks(fault.stderr || fault.message)}`)
  })
}

const withoutStacks = (text: string): string => text.replace(/^ +at .*\n/gm, '').trim()

const newestChange = async (path: string): Promise<number> => {
  const { mtimeMs } = await stat(path)
  const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => [])
  const changes = await Promise.all(
    entries
      // A file that is gone has changed its folder.
      .filter(entry => entry.isFile() || entry.isDirectory())
      .map(entry => stat(join(entry.parentPath, entry.name))),
  )
  return Math.max(mtimeMs, ...changes.map(change => change.mtimeMs))
}
