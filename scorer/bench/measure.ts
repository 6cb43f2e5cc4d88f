/** Milliseconds of several runs of the same work. */
type Times = { readonly least: number; readonly p50: number; readonly p95: number }

export const timesOf = (samples: readonly number[]): Times => {
  const sorted = samples.toSorted((a, b) => a - b)
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  return { least: at(0), p50: at(0.5), p95: at(0.95) }
}

export const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/**
 * Alternates between the kinds of work, so that a busy spell of the machine affects them all and their ratios hold.
 * Each first runs `unheard` times without being measured.
 */
export const measure = async <Name extends string>(
  works: Readonly<Record<Name, () => Promise<unknown>>>,
  rounds: number,
  unheard = 1,
): Promise<Record<Name, Times>> => {
  const names = Object.keys(works) as Name[]
  const samples = new Map<Name, number[]>(names.map(name => [name, []]))
  for (let round = 0; round < unheard; round++) for (const name of names) await works[name]()
  for (let round = 0; round < rounds; round++) {
    for (const name of names) samples.get(name)?.push(await timed(works[name]))
  }
  return Object.fromEntries(names.map(name => [name, timesOf(samples.get(name) ?? [])])) as Record<
    Name,
    Times
  >
}

export const ms = (value: number): string => `${value < 100 ? value.toFixed(1) : value.toFixed(0)} ms`

export const report = (name: string, times: Times): void =>
  console.log(`${name.padEnd(56)} p50 ${ms(times.p50)}, p95 ${ms(times.p95)}, min ${ms(times.least)}`)
