// Lanes by size, so that a small task does not wait for a large one. `small` runs a batch of small tasks. `medium` and
// `long` run one task each, so that a 65,536-token state delays another long one by its share of the engine, and short
// ones by some blocks. `riding` runs a batch of tasks that wait for a long state another task is encoding: in the small
// lane they would take up room and do nothing.
import { Pace } from './pace.ts'
import type { Task } from './task.ts'
import { Turns } from './turns.ts'

const BATCHED = { small: true, medium: false, long: false, riding: true } as const
/** Lanes that run one task at a time. */
export const SINGLE_TASK_LANES = Object.values(BATCHED).filter(batched => !batched).length
const MEDIUM_BATCHES = 4

/** This part of a batch keeps a CPU busy: joined runs are no longer than that. */
const BUSY_PART = 1 / 8
/**
 * A task of a batch that ran out of time is assumed to be far from done. If it were assumed to be nearly done, an
 * engine that has become slower would go on beginning tasks that it cannot finish.
 */
const LATE_IN_A_BATCH = 4
/**
 * A task that ran out of time with its lane to itself needs at least the time it had, and is not assumed to need more.
 * Otherwise one tenant's tasks that never finish would cause those of others to be refused.
 */
const LATE_ALONE = 1

export class Lane {
  readonly pace: Pace
  readonly turns = new Turns()
  /** What is under way. */
  readonly #running = new Set<Task>()
  #latestDeadline = 0
  /** The lowest rank of what waits here; infinite if nothing does. */
  first = Number.POSITIVE_INFINITY
  /** Whether a batch of tasks goes together, or one alone. */
  readonly #batched: boolean
  readonly #batchTokens: number

  constructor(batched: boolean, batchTokens: number, now: () => number) {
    this.#batched = batched
    this.#batchTokens = batchTokens
    this.pace = new Pace({
      busyTokens: batchTokens * BUSY_PART,
      windowTokens: batchTokens,
      lateFactor: batched ? LATE_IN_A_BATCH : LATE_ALONE,
      now,
    })
  }

  get running(): number {
    return this.#running.size
  }

  /** The latest deadline of what is under way. By then it ends, done or not, unless others wait for its state too. */
  get latestDeadline(): number {
    return this.#latestDeadline
  }

  begin(task: Task): void {
    this.#running.add(task)
    this.#latestDeadline = Math.max(this.#latestDeadline, task.deadline)
  }

  end(task: Task): void {
    this.#running.delete(task)
    if (task.deadline < this.#latestDeadline) return
    this.#latestDeadline = 0
    for (const { deadline } of this.#running) this.#latestDeadline = Math.max(this.#latestDeadline, deadline)
  }

  hasRoom(tokens: number): boolean {
    return this.running === 0 || (this.#batched && this.pace.underWay + tokens <= this.#batchTokens)
  }

  /** Whether there is room for as much as keeps a CPU busy. */
  get hasRoomForRun(): boolean {
    return this.hasRoom(this.#batchTokens * BUSY_PART)
  }
}

export type Size = {
  /** Padded tokens of the task's own work as things stand. */
  cost: number
  /** Whether encoding its state is part of that. */
  encodes: boolean
  lane: Lane
}

export class Lanes {
  readonly all: readonly Lane[]
  readonly #named: Readonly<Record<keyof typeof BATCHED, Lane>>
  readonly #batchTokens: number

  constructor(batchTokens: number, now: () => number) {
    const lane = (name: keyof typeof BATCHED) => new Lane(BATCHED[name], batchTokens, now)
    this.#named = { small: lane('small'), medium: lane('medium'), long: lane('long'), riding: lane('riding') }
    this.all = Object.values(this.#named)
    this.#batchTokens = batchTokens
  }

  sizeOf(task: Task): Size {
    const { questionTokens, state } = task
    const standing = task.standing()
    const encodes = standing === 'absent'
    const cost = questionTokens + (encodes ? state.tokens : 0)
    // What has to be encoded before it can end, whoever does it.
    const extent = questionTokens + (standing === 'encoded' ? 0 : state.tokens)
    return { cost, encodes, lane: this.#laneFor(cost, extent) }
  }

  /** Whether `tokens` would end past the deadline if they went next in the lane. */
  isLate(lane: Lane, tokens: number, deadline: number, now: number): boolean {
    // This lane has no influence on when the awaited state is ready.
    if (lane === this.#named.riding) return false
    return now + lane.pace.msFor(tokens, lane.latestDeadline - now) > deadline
  }

  #laneFor(cost: number, extent: number): Lane {
    const { small, medium, long, riding } = this.#named
    if (extent <= this.#batchTokens) return small
    if (cost < extent) return riding
    return cost <= this.#batchTokens * MEDIUM_BATCHES ? medium : long
  }
}
