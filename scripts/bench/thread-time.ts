import { readFileSync } from 'node:fs'

/** CPU time of a thread so far. The scheduler's own nanoseconds: /proc/<pid>/stat counts in ticks of 10 ms. Linux only. */
export const threadMicroseconds = (pid: number, thread: number | string): number =>
  Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1000
