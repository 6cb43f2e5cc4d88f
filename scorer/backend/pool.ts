import { Worker } from 'node:worker_threads'
import { Interrupted } from './backend.ts'
import { type Joined, nextOf, type Waiting } from './joining.ts'
import type { Order, Outcome, Reply, Step, Task, WorkerSetup } from './steps.ts'

/**
 * Worker threads behind one first-come, first-served queue of steps. Each job has only a few steps in the queue at a
 * time, so jobs take turns: a step of a short job waits behind only a few of a long one.
 */
export type Pool = {
  readonly workers: number
  run<S extends Step>(step: S): Promise<Outcome[S['kind']]>
  close(): Promise<void>
}

type Member = { readonly worker: Worker; readonly running: Map<number, Joined> }

/** A thread gets its next step while it is still working on one, so that it never waits for a message. */
const STEPS_AHEAD = 2

/** The member with the least to do among those that may be given a step. */
const leastBusy = (members: readonly Member[]): Member | undefined =>
  members.filter(({ running }) => running.size < STEPS_AHEAD).sort((a, b) => rowsOf(a) - rowsOf(b))[0]

const rowsOf = ({ running }: Member): number =>
  [...running.values()].reduce((sum, { task }) => sum + rowsRead(task), 0)

/** Rows that go through the model's layers. Everything else costs little. */
const rowsRead = (task: Task): number => {
  switch (task.kind) {
    case 'state':
      return task.ids.length
    case 'run':
    case 'apart':
      return task.run.ids.length
    default:
      return 1
  }
}

export const openPool = async (
  setup: WorkerSetup,
  workers: number,
  onFault: (fault: Error) => void,
): Promise<Pool> => {
  const queue: Waiting[] = []
  const members: Member[] = []
  let nextId = 0
  let ended: Error | undefined
  let idle: (() => void) | undefined

  const end = (why: Error) => {
    ended ??= why
    for (const { fail } of queue.splice(0)) fail(why)
    for (const { running } of members) {
      for (const { fail } of running.values()) fail(why)
      running.clear()
    }
  }

  const feed = () => {
    for (let member = leastBusy(members); member !== undefined; member = leastBusy(members)) {
      const free = members.filter(({ running }) => running.size === 0).length
      const joined = nextOf(queue, free, setup.shape.width)
      if (joined === undefined) break
      const order: Order = { id: nextId++, task: joined.task }
      member.running.set(order.id, joined)
      member.worker.postMessage(order)
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
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { workerData: setup })
    const member: Member = { worker, running: new Map() }
    await new Promise<void>((resolve, reject) => {
      const fail = (fault: Error) => {
        reject(fault)
        if (!members.includes(member) || ended) return
        end(fault)
        onFault(fault)
      }
      worker.on('error', fault =>
        fail(fault instanceof Error ? fault : new Error('The engine thread failed')),
      )
      worker.on('exit', code => fail(new Error(`The engine thread ended with code ${code}`)))
      worker.on('message', (reply: Reply) => {
        if (reply.kind === 'ready') return resolve()
        if (reply.kind === 'refused') return reject(new Error(reply.message))
        const joined = member.running.get(reply.id)
        member.running.delete(reply.id)
        if (reply.kind === 'done') joined?.settle(reply.outcome)
        else joined?.fail(new Error(reply.message))
        feed()
      })
    })
    members.push(member)
  }

  const stop = () => Promise.all(members.map(({ worker }) => worker.terminate()))

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
        queue.push({ step, settle: resolve as Waiting['settle'], fail: reject })
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
