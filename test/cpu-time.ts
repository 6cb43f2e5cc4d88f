/** How many milliseconds of processor time work takes on this thread: other work on the machine does not count. */
export const cpuMs = (work: () => unknown): number => {
  const start = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(start)
  return (user + system) / 1_000
}
