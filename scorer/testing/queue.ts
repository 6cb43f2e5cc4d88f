// A work queue between a clock and tasks that do as a test tells them.
import type { Interrupted } from '../backend/backend.ts'
import type { Standing } from '../core/cache/state-store.ts'
import type { Task } from '../core/queue/task.ts'
import { WorkQueue } from '../core/queue/work-queue.ts'

export const setup = ({ batchTokens = 100, capacityTokens = 10_000 } = {}) => {
  let now = 0
  const begun: string[] = []
  const dropped: string[] = []
  const waits: number[] = []
  const batches: number[] = []
  const finish = new Map<string, (fault?: Interrupted) => void>()
  const queue = new WorkQueue({
    batchTokens,
    capacityTokens,
    now: () => now,
    onBegin: tokens => batches.push(tokens),
    onWaited: waitedMs => waits.push(waitedMs),
  })
  const task = (
    name: string,
    {
      tenant = 'one',
      cost = 10,
      state = { key: name, tokens: 0 },
      standing = (): Standing => 'absent',
      deadline = Number.POSITIVE_INFINITY,
      left = (): boolean => false,
      room = (): boolean => true,
    } = {},
  ): Task => ({
    tenant,
    questionTokens: cost,
    state,
    standing,
    deadline,
    gone: left,
    drop: () => dropped.push(name),
    begin() {
      if (!room()) return null
      begun.push(name)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      finish.set(name, fault => (fault === undefined ? resolve() : reject(fault)))
      return promise
    },
  })
  return {
    queue,
    task,
    begun,
    dropped,
    waits,
    batches,
    pass: (ms: number) => {
      now += ms
    },
    end: async (name: string, fault?: Interrupted) => {
      finish.get(name)?.(fault)
      await new Promise(resolve => setImmediate(resolve))
    },
  }
}
