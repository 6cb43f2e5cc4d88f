import { readFileSync } from 'node:fs'

/**
 * Whether a crash of this process may write its memory to disk. A process cannot take that from itself: its starter
 * does, with `ulimit -c 0`. Null where the system does not tell.
 */
export const coreDumpsAllowed = (): boolean | null => {
  try {
    const limit = /^Max core file size\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return limit === undefined ? null : limit !== '0'
  } catch {
    return null
  }
}
