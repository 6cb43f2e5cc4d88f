import { readFileSync, writeFileSync } from 'node:fs'

/**
 * Keeps this process's memory out of what a crash writes to disk. A resource limit cannot do that if the system pipes
 * core dumps to a program: https://man7.org/linux/man-pages/man5/core.5.html
 */
export const emptyCoreDumps = (): void => {
  try {
    writeFileSync('/proc/self/coredump_filter', '0')
  } catch {
    // Not Linux.
  }
}

/**
 * Whether a crash of this process may leave a core dump, which would still hold registers. The process cannot rule that
 * out itself; whoever starts it can, with `ulimit -c 0`. False if the system does not say.
 */
export const coreDumpsAllowed = (): boolean => {
  try {
    return /^Max core file size\s+[^\s0]/m.test(readFileSync('/proc/self/limits', 'utf8'))
  } catch {
    return false
  }
}
