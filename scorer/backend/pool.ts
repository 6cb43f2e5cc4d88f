import { Worker } from 'node:worker_threads'
// Here, too, because the threads load onnxruntime.
import './no-telemetry.ts'
import { Interrupted } from './backend.ts'
import { EngineFault } from './engine-fault.ts'
import { type Joined, nextOf, type WaitingStep } from './joining.ts'
import type { Order, Reply, Results, Step, WorkerSetup, WorkerStep } from './steps.ts'

/**
 * Worker threads behind one first-come, first-served queue of steps. Each job has only a few steps in the queue at a
 * time, so jobs take turns: a step of a short job waits behind only a few of a long one.
 */
export type Pool = {
  readonly workers: number
  run<S extends Step>(step: S): Promise<Results[S['kind']]>
  close(): Promise<void>
}

type Member = {
  readonly worker: Worker
  readonly running: Map<number, Joined>
  /** Failed runs since the last one that succeeded. */
  failures: number
  /** Ticks since the last run ended. */
  silence: number
}

type PoolOptions = {
  readonly workers: number
  /** Named in faults. */
  readonly snapshot: string
  /** Called once if a thread dies, or does nothing but fail, or is stuck in a run. The pool then refuses everything. */
  readonly onFault: (fault: Error) => void
  /** What the threads run. */
  readonly thread?: URL
}

/** A broken engine, such as a GPU after an illegal access, fails every run from then on. */
const MOST_FAILURES = 10
/** Three times as long as a caller waits. In ticks, because none passes while the whole process is suspended. */
const MOST_SILENCE = 30
const TICK_MS = 1_000

/** A thread gets its next step while it is still working on one, so that it never waits for a message. */
const STEPS_AHEAD = 2

/** The member with the least to do among those that may be given a step. */
const leastBusy = (members: readonly Member[]): Member | undefined =>
  members.filter(({ running }) => running.size < STEPS_AHEAD).sort((a, b) => rowsAhead(a) - rowsAhead(b))[0]

const rowsAhead = ({ running }: Member): number =>
  [...running.values()].reduce((sum, { step }) => sum + rowsRead(step), 0)

/** Rows that go through the model's layers. Everything else costs little. */
const rowsRead = (step: WorkerStep): number => {
  switch (step.kind) {
    case 'state':
      return step.ids.length
    case 'run':
    case 'apart':
      return step.run.ids.length
    default:
      return 1
  }
}

export const openPool = async (
  setup: WorkerSetup,
  { workers, snapshot, onFault, thread = new URL('./worker.ts', import.meta.url) }: PoolOptions,
): Promise<Pool> => {
  const queue: WaitingStep[] = []
  const members: Member[] = []
  let nextId = 0
  let ended: Error | undefined
  let idle: (() => void) | undefined

  const failRunning = ({ running }: Member, fault: Error) => {
    for (const { fail } of running.values()) fail(fault)
    running.clear()
  }

  const endForGood = (fault: Error) => {
    if (ended) return
    ended = fault
    for (const { fail } of queue.splice(0)) fail(fault)
    for (const member of members) failRunning(member, fault)
    onFault(fault)
  }

  const watching = setInterval(() => {
    for (const member of members) {
      const [run] = member.running.values()
      if (run === undefined) continue
      member.silence += 1
      if (member.silence === MOST_SILENCE) {
        endForGood(new EngineFault({ what: 'a run does not end', snapshot, step: run.step.kind }))
      }
    }
  }, TICK_MS).unref()

  const feed = () => {
    for (let member = leastBusy(members); member !== undefined; member = leastBusy(members)) {
      const free = members.filter(({ running }) => running.size === 0).length
      const joined = nextOf(queue, free)
      if (joined === undefined) break
      const { step } = joined
      const order: Order = { id: nextId++, step }
      member.running.set(order.id, joined)
      // A copy of so many rows would take this thread longer than everything else about a request.
      member.worker.postMessage(order, step.kind === 'answer' ? [step.rows.buffer as ArrayBuffer] : [])
    }
    if (members.every(({ running }) => running.size === 0)) idle?.()
  }

  let feeding = false
  /** Waits for one turn of the event loop, so that steps requested together can share a run. */
  const feedSoon = () => {
    if (feeding) return
    feeding = true
    setImmediate(() => {
      feeding = false
      feed()
    })
  }

  const start = async (): Promise<void> => {
    const worker = new Worker(thread, { workerData: setup })
    const member: Member = { worker, running: new Map(), failures: 0, silence: 0 }
    await new Promise<void>((resolve, reject) => {
      const fail = (fault: Error) => {
        reject(fault)
        if (!members.includes(member)) return
        endForGood(fault)
        // Where the pool was being closed, that waits for these runs.
        failRunning(member, ended ?? fault)
        feed()
      }
      worker.on('error', fault =>
        fail(fault instanceof Error ? fault : new Error('The engine thread failed')),
      )
      worker.on('exit', code => fail(new EngineFault({ what: `a thread ended with code ${code}`, snapshot })))
      worker.on('message', (reply: Reply) => {
        if (reply.kind === 'ready') return resolve()
        const joined = member.running.get(reply.id)
        member.running.delete(reply.id)
        member.silence = 0
        if (reply.kind === 'done') {
          member.failures = 0
          joined?.settle(reply.result)
        } else if (joined) {
          const step = joined.step.kind
          joined.fail(new EngineFault({ what: 'a run failed', snapshot, step }))
          member.failures += 1
          if (member.failures === MOST_FAILURES) {
            endForGood(new EngineFault({ what: `${MOST_FAILURES} runs in a row failed`, snapshot, step }))
          }
        }
        feed()
      })
    })
    members.push(member)
  }

  const stop = () => {
    clearInterval(watching)
    return Promise.all(members.map(({ worker }) => worker.terminate()))
  }

  try {
    // One after another, so that a provider that cannot load is reported once and start-up memory does not peak.
    for (let i = 0; i < workers; i++) await start()
  } catch (fault) {
    ended = new Interrupted('closed')
    await stop()
    throw fault
  }

  return {
    workers,
    run: step =>
      new Promise((resolve, reject) => {
        if (ended) return reject(ended)
        queue.push({ step, settle: resolve as WaitingStep['settle'], fail: reject })
        feedSoon()
      }),
    close: async () => {
      ended ??= new Interrupted('closed')
      for (const { fail } of queue.splice(0)) fail(ended)
      await new Promise<void>(resolve => {
        idle = resolve
        feed()
      })
      await stop()
    },
  }
}
