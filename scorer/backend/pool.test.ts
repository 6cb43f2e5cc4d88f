import { setImmediate as untilFed } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type EncodedState, Interrupted } from './backend.ts'
import { EngineFault } from './engine-fault.ts'
import { pieceOfState } from './pieces.ts'
import { openPool } from './pool.ts'
import type { Step } from './steps.ts'

const SHAPE = { layers: 1, heads: 1, headWidth: 1, width: 1, firstSide: 0 }
const MOST_FAILURES = 10
const MOST_SILENCE_MS = 30_000

/** A pool of threads that run `code`. */
const open = (code: string, workers: number, faults: Error[]) =>
  openPool(
    { folder: '', shape: SHAPE, provider: 'cpu', threads: 1 },
    {
      workers,
      snapshot: 'a snapshot',
      onFault: fault => faults.push(fault),
      thread: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
    },
  )

/** Threads, one by default, that do `answer` with each order, whose id is `id`. */
const setup = async (answer: string, workers = 1) => {
  const code = `
    import { parentPort, threadId } from 'node:worker_threads'
    let orders = 0
    const reply = message => parentPort.postMessage(message)
    parentPort.on('message', ({ id }) => { orders += 1; ${answer} })
    reply({ kind: 'ready' })`
  const faults: Error[] = []
  const pool = await open(code, workers, faults)
  onTestFinished(pool.close)
  return { faults, step: (step: Step = READOUT) => pool.run(step), close: pool.close }
}
const DONE = `reply({ kind: 'done', id, result: [] })`
const READOUT: Step = { kind: 'readout', questions: [], state: {} as EncodedState, focus: [] }
const PIECE: Step = { kind: 'piece', piece: pieceOfState(Int32Array.of(1)) }

const fault = (what: string) => new EngineFault({ what, snapshot: 'a snapshot', step: 'readout' })

it('an engine that does nothing but fail is given up, with one fault that says so', async () => {
  const { step, faults } = await setup(`reply({ kind: 'failed', id })`)
  for (let run = 1; run < MOST_FAILURES; run++) {
    await expect(step()).rejects.toEqual(fault('a run failed'))
    expect(faults).toEqual([])
  }
  await expect(step()).rejects.toEqual(fault('a run failed'))
  expect(faults).toEqual([fault('10 runs in a row failed')])
  await expect(step()).rejects.toEqual(fault('10 runs in a row failed'))
  expect(faults).toHaveLength(1)
})

it('an engine that fails now and then is not', async () => {
  const { step, faults } = await setup(
    `reply(orders % ${MOST_FAILURES} === 0 ? { kind: 'done', id, result: [] } : { kind: 'failed', id })`,
  )
  for (let run = 0; run < 3 * MOST_FAILURES; run++) await step().catch(() => {})
  expect(faults).toEqual([])
})

it('an engine whose run does not end is given up, and whoever waits for it is told', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { step, faults } = await setup('')
  vi.advanceTimersByTime(MOST_SILENCE_MS)
  // Two are with the thread, one is in the queue.
  const stuck = [step(), step(), step()]
  await untilFed()
  vi.advanceTimersByTime(MOST_SILENCE_MS - 1)
  expect(faults).toEqual([])
  vi.advanceTimersByTime(1)
  for (const one of stuck) await expect(one).rejects.toEqual(fault('a run does not end'))
  expect(faults).toEqual([fault('a run does not end')])
})

it('an engine that is slow but ends its runs is not given up', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { step, faults } = await setup(DONE)
  for (let run = 0; run < 3; run++) {
    const slow = step()
    await untilFed()
    vi.advanceTimersByTime(MOST_SILENCE_MS - 1_000)
    await slow
  }
  expect(faults).toEqual([])
})

it.each([
  ['ends', 'process.exit(3)', 'a thread ended with code 3'],
  ['throws', `throw new Error('broken')`, 'broken'],
])(
  'an engine whose thread %s is given up, with one fault, and whoever waits for it is told',
  async (_, answer, what) => {
    const { step, faults, close } = await setup(answer)
    const given = [step(), step(), step()]
    for (const one of given) await expect(one).rejects.toThrow(what)
    await expect(step()).rejects.toThrow(what)
    await close()
    expect(faults.map(({ message }) => message)).toEqual([what])
  },
)

it.each([
  ['ends', 'process.exit(3)', 'a thread ended with code 3'],
  ['throws', `throw new Error('broken')`, 'broken'],
])(
  'an engine whose thread %s instead of being ready cannot be opened, which is no other fault',
  async (_, code, what) => {
    const faults: Error[] = []
    await expect(open(code, 1, faults)).rejects.toThrow(what)
    expect(faults).toEqual([])
  },
)

it('a step goes to the thread that has the fewest rows to read', async () => {
  const { step } = await setup(
    `setTimeout(() => reply({ kind: 'done', id, result: [threadId, threadId] }), 50)`,
    2,
  )
  const rows = (count: number): Step => {
    const ids = new Int32Array(count)
    return { kind: 'state', ids, blocks: 1, at: 0, into: {} as EncodedState }
  }
  const steps = [rows(256), rows(20), rows(256), rows(20)]
  const [long, short, third, fourth] = (await Promise.all(steps.map(one => step(one)))).map(String)
  expect(short).not.toBe(long)
  // Each thread takes two steps at a time.
  expect([third, fourth]).toEqual([short, long])
  for (const one of [READOUT, PIECE]) {
    const [first, second] = await Promise.all([step(one), step(one)])
    expect(String(first)).not.toBe(String(second))
  }
})

it('a run that fails fails every step that had a part in it', async () => {
  const { step } = await setup(`reply({ kind: 'failed', id })`)
  const failed = {
    status: 'rejected',
    reason: new EngineFault({ what: 'a run failed', snapshot: 'a snapshot', step: 'run' }),
  }
  expect(await Promise.allSettled([step(PIECE), step(PIECE)])).toEqual([failed, failed])
})

it('closing lets runs in progress end, refuses all others, and is no fault', async () => {
  const { step, close, faults } = await setup(`setTimeout(() => { ${DONE} }, 50)`)
  const given = [step(), step(), step()]
  const settled = Promise.allSettled(given)
  await untilFed()
  const closing = close()
  await expect(step()).rejects.toEqual(new Interrupted('closed'))
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  await expect(given[2]).rejects.toEqual(new Interrupted('closed'))
  await closing
  expect(faults).toEqual([])
})

it('closing lets the run of one thread end while another has none', async () => {
  const { step, close } = await setup(`setTimeout(() => { ${DONE} }, 50)`, 2)
  const given = step()
  await untilFed()
  await close()
  expect(await Promise.race([given, 'lost'])).toEqual([])
})

it('closing does not wait for a thread that dies in its run, and whoever waits for that is told', async () => {
  const { step, close, faults } = await setup(`setTimeout(() => process.exit(3), 50)`)
  const given = expect(step()).rejects.toEqual(new Interrupted('closed'))
  await untilFed()
  await close()
  await given
  expect(faults).toEqual([])
})
