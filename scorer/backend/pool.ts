import { Worker } from 'node:worker_threads'
import { Interrupted } from './backend.ts'
import type { Order, Outcome, Reply, Step, WorkerSetup } from './steps.ts'

/**
 * Worker threads behind one first-come queue of steps. A job hands in few steps at a time, so the queue goes
 * round the jobs and a long one delays a short one by its own length at most.
 */
export type Pool = {
  readonly workers: number
  run<S extends Step>(step: S): Promise<Outcome[S['kind']]>
  close(): Promise<void>
}

type Waiting = { readonly step: Step; readonly settle: (reply: Settled | Error) => void }
type Settled = Extract<Reply, { kind: 'done' | 'failed' }>
type Member = { readonly worker: Worker; readonly running: Map<number, Waiting> }

/** A thread is given its next step while it still works on one, so that it never waits for a message. */
const STEPS_AHEAD = 2

/** The one that has the least to do, of those that may be given a step. */
const leastBusy = (members: readonly Member[]): Member | undefined => {
  const loads = members
    .filter(({ running }) => running.size < STEPS_AHEAD)
    .map(member => ({ member, rows: sumOf([...member.running.values()].map(({ step }) => rowsRead(step))) }))
  return loads.toSorted((a, b) => a.rows - b.rows)[0]?.member
}

/** Rows that go through the model's layers; what else is done takes little. */
const rowsRead = (step: Step): number => {
  if (step.kind === 'state') return step.ids.length
  return step.kind === 'question' ? step.pack.ids.length : 1
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0)

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
    for (const { settle } of queue.splice(0)) settle(why)
    for (const { running } of members) {
      for (const { settle } of running.values()) settle(why)
      running.clear()
    }
  }

  const feed = () => {
    for (let member = leastBusy(members); member !== undefined; member = leastBusy(members)) {
      const waiting = queue.shift()
      if (waiting === undefined) break
      const order: Order = { id: nextId++, step: waiting.step }
      member.running.set(order.id, waiting)
      member.worker.postMessage(order)
    }
    if (members.every(({ running }) => running.size === 0)) idle?.()
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
        const waiting = member.running.get(reply.id)
        member.running.delete(reply.id)
        waiting?.settle(reply)
        feed()
      })
    })
    members.push(member)
  }

  const stop = () => Promise.all(members.map(({ worker }) => worker.terminate()))

  try {
    // One after the other: a provider that cannot load is reported once, and start-up memory does not peak.
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
        const settle = (reply: Settled | Error) => {
          if (reply instanceof Error) reject(reply)
          else if (reply.kind === 'done') resolve(reply.outcome as Outcome[(typeof step)['kind']])
          else
            reject(
              new Error(reply.kind === 'failed' ? reply.message : 'The engine thread answered out of turn'),
            )
        }
        queue.push({ step, settle })
        feed()
      }),
    close: async () => {
      ended ??= new Interrupted('closed')
      for (const { settle } of queue.splice(0)) settle(ended)
      await new Promise<void>(resolve => {
        idle = resolve
        feed()
      })
      await stop()
    },
  }
}
