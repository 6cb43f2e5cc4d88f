import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Leaves this process's memory out of what a crash writes to disk. No limit does that where the system hands dumps to a
 * program of its own: https://man7.org/linux/man-pages/man5/core.5.html
 */
export const emptyCoreDumps = (): void => {
  try {
    writeFileSync('/proc/self/coredump_filter', '0')
  } catch {
    // Not Linux.
  }
}

/**
 * Whether a crash of this process may leave a dump, in which registers would remain. A process cannot take that from
 * itself: its starter does, with `ulimit -c 0`. Taken for no where the system does not tell.
 */
export const coreDumpsAllowed = (): boolean => {
  try {
    return /^Max core file size\s+[^\s0]/m.test(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return false
  }
}
