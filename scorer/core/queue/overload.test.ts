import { describe, expect, it } from 'vitest'
import { Interrupted } from '../../backend/backend.ts'
import type { Task } from './task.ts'
import { WorkQueue } from './work-queue.ts'

const STEP_MS = 20
const BATCH_TOKENS = 4_096
/** Roughly a CPU's speed. The queue may hold far more than a CPU can do in ten seconds. */
const TOKENS_PER_MS = 3
const DEADLINE_MS = 10_000

type Job = { left: number; deadline: number; end: (fault?: Interrupted) => void }

/** An engine that shares its speed evenly among its jobs and ends those past their deadline. */
const setup = () => {
  let now = 0
  let speed = TOKENS_PER_MS
  const jobs = new Set<Job>()
  const counts = { answered: 0, tokens: 0, full: 0, late: 0, died: 0 }
  const queue = new WorkQueue({
    batchTokens: BATCH_TOKENS,
    capacityTokens: 262_144,
    now: () => now,
    onBegin: () => {},
    onWaited: () => {},
  })
  const task = (tenant: string, cost: number, deadline: number, work: number): Task => ({
    tenant,
    questionTokens: cost,
    state: { key: '', tokens: 0 },
    standing: () => 'absent',
    deadline,
    gone: () => now >= deadline,
    drop: () => {
      counts.late += 1
    },
    begin: () =>
      new Promise((resolve, reject) => {
        const end = (fault?: Interrupted) => {
          jobs.delete(job)
          if (fault === undefined) {
            counts.answered += 1
            counts.tokens += cost
            return resolve()
          }
          counts.died += 1
          reject(fault)
        }
        const job: Job = { left: work, deadline, end }
        jobs.add(job)
      }),
  })
  const step = () => {
    for (let most = speed * STEP_MS; most > 0.001 && jobs.size > 0; ) {
      const share = most / jobs.size
      for (const job of jobs) {
        const done = Math.min(share, job.left)
        job.left -= done
        most -= done
        if (job.left < 0.001) job.end()
      }
    }
    for (const job of jobs) if (now >= job.deadline) job.end(new Interrupted('deadline'))
  }
  return {
    counts,
    offer: (cost: number, { waitMs = DEADLINE_MS, work = cost, tenant = 'one' } = {}) => {
      const taken = queue.offer([task(tenant, cost, now + waitMs, work)])
      if (!taken) counts.full += 1
      return taken
    },
    slowDown: (factor: number) => {
      speed = TOKENS_PER_MS / factor
    },
    pass: async (ms: number, each = () => {}) => {
      for (const until = now + ms; now < until; ) {
        each()
        now += STEP_MS
        step()
        // Lets the queue hear of jobs that ended and begin the next.
        await new Promise(resolve => setImmediate(resolve))
      }
    },
  }
}

/** Offers `times` as much as the engine can do, in tasks of these sizes in turn. */
const flood = (offer: (cost: number) => void, times: number, sizes: readonly number[]) => {
  let owed = 0
  let next = 0
  return () => {
    for (owed += times * TOKENS_PER_MS * STEP_MS; owed > 0; next++) {
      const size = sizes[next % sizes.length] ?? 0
      owed -= size
      offer(size)
    }
  }
}

const MINUTE_MS = 60_000
const MOST = TOKENS_PER_MS * MINUTE_MS

describe('a queue offered more than the engine can do', () => {
  it.each([
    ['tasks of one size', 2, [450]],
    ['tasks of many sizes', 2, [30, 900, 60, 2_000, 450, 100, 3_800]],
    ['small and medium tasks', 2, [450, 300, 9_000, 100]],
    ['ten times as much', 10, [450]],
  ])('answers what the engine can do, and refuses the rest at once: %s', async (_, times, sizes) => {
    const { counts, offer, pass } = setup()
    await pass(MINUTE_MS, flood(offer, times, sizes))
    expect(counts.tokens).toBeGreaterThan(0.8 * MOST)
    expect(counts.late + counts.died).toBeLessThan(0.1 * counts.answered)
  })

  it('serves the tenants who ask for little and refuses the one who floods it', async () => {
    const { counts, offer, pass } = setup()
    const much = flood(size => offer(size), 3, [450])
    const refused: number[] = []
    let tick = 0
    const each = () => {
      much()
      tick += 1
      if (tick % 25 === 0 && !offer(450, { tenant: `tenant ${tick % 4}` })) refused.push(tick)
    }
    await pass(MINUTE_MS, each)
    expect(refused).toEqual([])
    expect(counts.tokens).toBeGreaterThan(0.8 * MOST)
  })

  it('takes the long tasks of one tenant although another always has two of its own', async () => {
    const { counts, offer, pass } = setup()
    const refused: number[] = []
    let tick = 0
    const each = () => {
      offer(12_000)
      tick += 1
      if (tick % 500 === 0 && !offer(6_000, { tenant: 'other' })) refused.push(tick)
    }
    await pass(5 * MINUTE_MS, each)
    expect(refused).toEqual([])
    expect(counts.tokens).toBeGreaterThan(0.8 * 5 * MOST)
  })

  it.each([
    ['long', 1],
    ['medium', 1 / 3],
  ])(
    'answers %s tasks that end in time although another tenant always has one that does not',
    async (_, costOfWork) => {
      const { counts, offer, pass } = setup()
      const offerWork = (work: number, tenant = 'one') => offer(work * costOfWork, { work, tenant })
      offerWork(18_000)
      await pass(MINUTE_MS)
      let tick = 0
      const each = () => {
        offerWork(45_000, 'endless')
        tick += 1
        if (tick % 100 === 0) offerWork(18_000)
      }
      await pass(5 * MINUTE_MS, each)
      // One turn of each takes sixteen seconds together.
      expect(counts.answered).toBeGreaterThan(15)
      expect(counts.late).toBe(0)
    },
  )

  it('accepts everything again when the overload is over', async () => {
    const { counts, offer, pass } = setup()
    await pass(MINUTE_MS, flood(offer, 2, [450]))
    await pass(DEADLINE_MS)
    const { answered, full } = counts
    await pass(MINUTE_MS, flood(offer, 0.8, [450]))
    expect(counts.full).toBe(full)
    expect(counts.answered - answered).toBeGreaterThan(0.75 * (MOST / 450))
  })

  it.each([3, 10])('adapts to an engine that becomes %i times slower and then quick again', async factor => {
    const { counts, offer, pass, slowDown } = setup()
    const each = flood(offer, 1.5, [450])
    await pass(MINUTE_MS, each)
    slowDown(factor)
    await pass(MINUTE_MS / 2, each)
    const slow = counts.tokens
    await pass(MINUTE_MS, each)
    expect(counts.tokens - slow).toBeGreaterThan((0.8 * MOST) / factor)
    slowDown(1)
    await pass(MINUTE_MS / 2, each)
    const quick = counts.tokens
    await pass(MINUTE_MS, each)
    expect(counts.tokens - quick).toBeGreaterThan(0.8 * MOST)
  })

  it('does not go on refusing much after the machine once stood still', async () => {
    const { counts, offer, pass, slowDown } = setup()
    await pass(MINUTE_MS, flood(offer, 0.5, [450]))
    slowDown(Number.POSITIVE_INFINITY)
    await pass(MINUTE_MS, flood(offer, 0.5, [450]))
    slowDown(1)
    await pass(DEADLINE_MS)
    const { full, answered } = counts
    await pass(MINUTE_MS, flood(offer, 0.5, [450]))
    expect(counts.full - full).toBeLessThan(0.02 * (counts.answered - answered))
  })

  it('does not conclude from tiny tasks that large ones are impossible', async () => {
    const { offer, pass } = setup()
    let tick = 0
    await pass(MINUTE_MS, () => {
      if (tick++ % 5 === 0) offer(2, { work: 200 })
    })
    expect([1, 2, 3].map(() => offer(4_000))).toEqual([true, true, true])
  })

  it('takes a task that has time to wait for one that will be ended at its deadline', async () => {
    const { counts, offer, pass } = setup()
    for (let i = 0; i < 5; i++) {
      offer(9_000)
      await pass(MINUTE_MS)
    }
    offer(1_000_000)
    await pass(DEADLINE_MS / 2)
    expect(offer(9_000)).toBe(true)
    await pass(DEADLINE_MS)
    expect(counts).toMatchObject({ answered: 6, died: 1, late: 0, full: 0 })
  })

  it('takes a task with a late deadline however much is waiting', async () => {
    const { offer, pass } = setup()
    await pass(MINUTE_MS, flood(offer, 2, [450]))
    const more = [1, 2, 3].map(() => offer(450))
    expect(more.at(-1)).toBe(false)
    expect(offer(450, { waitMs: MINUTE_MS })).toBe(true)
  })
})
