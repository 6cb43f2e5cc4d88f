// What waits for the engine, and what of it goes next. The engine takes its runs round-robin from the jobs that have
// begun, so beginning many at once only makes each of them slow: a batch is what is under way together, and holds at
// most so many padded tokens.
import type { Interrupted } from '../../backend/backend.ts'

export type Task = {
  /** Padded tokens of work, as things stand: less once another task has brought the state. */
  cost(): number
  /** Why nobody waits for it any more, or null. */
  gone(): Interrupted | null
  /** Begins the work; null where there is no memory for it yet. */
  begin(): Promise<void> | null
  drop(why: Interrupted): void
}

export type QueueOptions = {
  /** Padded tokens of a batch. A task of more than that goes in a lane of its own. */
  batchTokens: number
  /** Padded tokens that may wait in each lane: a waiting long state takes no place from small tasks. */
  capacityTokens: number
  now: () => number
  onBegin: (waitedMs: number, batchTokens: number) => void
}

type Sized = { readonly task: Task; readonly cost: number; readonly lane: number }
type Waiting = Sized & { readonly rank: number; readonly since: number }

/**
 * Lanes by size. The first takes a batch of small tasks, the others one task each, so that a 65,536-token state
 * delays another long one by its share of the engine, and short ones by a block.
 */
const MEDIUM_BATCHES = 4
const LANES = [0, 1, 2] as const

export class WorkQueue {
  readonly #options: QueueOptions
  #waiting: Waiting[] = []
  #requests = 0
  readonly #running = LANES.map(() => ({ tokens: 0, tasks: 0 }))

  constructor(options: QueueOptions) {
    this.#options = options
  }

  get depth(): { waiting: number; waitingTokens: number; running: number; runningTokens: number } {
    return {
      waiting: this.#waiting.length,
      waitingTokens: tokensOf(this.#waiting),
      running: this.#running.reduce((sum, { tasks }) => sum + tasks, 0),
      runningTokens: this.#runningTokens(),
    }
  }

  /** Takes all tasks of a request or, where they would have to wait behind too much, none. */
  offer(tasks: readonly Task[]): boolean {
    this.#dropGone()
    const offered = tasks.map(task => {
      const cost = task.cost()
      return { task, cost, lane: this.#laneOf(cost) }
    })
    if (LANES.some(lane => this.#overflows(lane, offered))) return false
    // A request's second task ranks like the next request's first: many tasks of one caller do not go before
    // the single ones of others.
    const first = this.#requests++
    const since = this.#options.now()
    for (const [index, one] of offered.entries()) this.#insert({ ...one, rank: first + index, since })
    this.pump()
    return true
  }

  /** Begins whatever may begin now. */
  pump(): void {
    this.#dropGone()
    const closed = new Set<number>()
    this.#keepWaiting(({ task, since }) => {
      const cost = task.cost()
      const lane = this.#laneOf(cost)
      if (closed.has(lane)) return true
      if (this.#begin(task, cost, lane, since)) return false
      // First come, first served within a lane.
      closed.add(lane)
      return true
    })
  }

  #begin(task: Task, cost: number, lane: number, since: number): boolean {
    const running = this.#running[lane]
    if (running === undefined) return false
    const fits = running.tasks === 0 || (lane === 0 && running.tokens + cost <= this.#options.batchTokens)
    if (!fits) return false
    const work = task.begin()
    if (work === null) return false
    running.tasks += 1
    running.tokens += cost
    this.#options.onBegin(this.#options.now() - since, this.#runningTokens())
    const end = () => {
      running.tasks -= 1
      running.tokens -= cost
      this.pump()
    }
    work.then(end, end)
    return true
  }

  #laneOf(cost: number): number {
    if (cost <= this.#options.batchTokens) return 0
    return cost <= this.#options.batchTokens * MEDIUM_BATCHES ? 1 : 2
  }

  #overflows(lane: number, offered: readonly Sized[]): boolean {
    const waiting = tokensOf(this.#waiting.filter(one => one.lane === lane))
    const more = tokensOf(offered.filter(one => one.lane === lane))
    // What finds nobody waiting is taken whatever its size, or it would never be.
    return waiting > 0 && more > 0 && waiting + more > this.#options.capacityTokens
  }

  #dropGone(): void {
    this.#keepWaiting(({ task }) => {
      const why = task.gone()
      if (why !== null) task.drop(why)
      return why === null
    })
  }

  #keepWaiting(stays: (waiting: Waiting) => boolean): void {
    this.#waiting = this.#waiting.filter(stays)
  }

  #insert(waiting: Waiting): void {
    const behind = this.#waiting.findIndex(({ rank }) => rank > waiting.rank)
    this.#waiting.splice(behind < 0 ? this.#waiting.length : behind, 0, waiting)
  }

  #runningTokens(): number {
    return this.#running.reduce((sum, { tokens }) => sum + tokens, 0)
  }
}

const tokensOf = (sized: readonly Sized[]): number => sized.reduce((sum, { cost }) => sum + cost, 0)
