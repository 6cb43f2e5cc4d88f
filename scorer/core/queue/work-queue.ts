// What waits for the engine, and what of it goes next. The engine takes its runs round-robin from the jobs that have
// begun, so beginning many at once only makes each of them slow: a batch is what is under way together, and holds at
// most so many padded tokens.
import { Interrupted } from '../../backend/backend.ts'
import { type Ending, Pace } from './pace.ts'
import { Turns } from './turns.ts'

export type Task = {
  /** Whose it is: tenants take turns. */
  readonly tenant: string
  /** Padded tokens of work, as things stand: less once another task has brought, or brings, the state. */
  cost(): number
  /** Padded tokens to be read before it can end: more than its cost while another task reads its state. */
  extent(): number
  /** Milliseconds since the epoch. */
  readonly deadline: number
  /** Why nobody waits for it any more, or null. */
  gone(): Interrupted | null
  /** Begins the work; null where there is no memory for it yet. */
  begin(): Promise<void> | null
  drop(why: Interrupted): void
}

export type QueueOptions = {
  /** Padded tokens of a batch. A task of more than that goes in a lane of its own. */
  batchTokens: number
  /** Padded tokens that may wait before a task, in its lane: a long state takes no place from small tasks. */
  capacityTokens: number
  now: () => number
  onBegin: (waitedMs: number, batchTokens: number) => void
}

type Sized = { readonly task: Task; rank: number; cost: number; lane: number }
type Waiting = Sized & { readonly since: number }

/**
 * Lanes by size. The first takes a batch of small tasks, the next two one task each, so that a 65,536-token state
 * delays another long one by its share of the engine, and short ones by a block. The last takes a batch of those
 * that wait for a long state another task reads: among the small ones they would hold places and do nothing.
 */
const MEDIUM_BATCHES = 4
const [SMALL, MEDIUM, LONG, RIDING] = [0, 1, 2, 3] as const
const LANES = [SMALL, MEDIUM, LONG, RIDING] as const

/** A CPU is busy with that part of a batch: joined runs are no longer than that. */
const BUSY_PART = 1 / 8
const WINDOW_BATCHES = 1
/** The engine may become slower while a task waits: a queue that is just short enough would then be too long for all. */
const CAUTION = 1.5

export class WorkQueue {
  readonly #options: QueueOptions
  /** In order of rank, which counts within a lane. */
  #waiting: Waiting[] = []
  readonly #running

  constructor(options: QueueOptions) {
    this.#options = options
    const { batchTokens, now } = options
    const pace = { busyTokens: batchTokens * BUSY_PART, windowTokens: batchTokens * WINDOW_BATCHES, now }
    this.#running = LANES.map(() => ({
      tokens: 0,
      tasks: 0,
      /** The latest deadline of what is under way: by then it has ended, done or not. */
      until: 0,
      pace: new Pace(pace),
      turns: new Turns(),
    }))
  }

  get depth(): { waiting: number; waitingTokens: number; running: number; runningTokens: number } {
    return {
      waiting: this.#waiting.length,
      waitingTokens: tokensOf(this.#waiting),
      running: this.#running.reduce((sum, { tasks }) => sum + tasks, 0),
      runningTokens: this.#runningTokens(),
    }
  }

  /** Takes all tasks of a request or, where they would wait behind too much or past their deadline, none. */
  offer(tasks: readonly Task[]): boolean {
    this.#dropGone()
    const offered = this.#ranked(tasks)
    if (LANES.some(lane => this.#refuses(lane, offered))) return false
    const tenants = new Map(offered.map(({ lane, task }) => [lane, task.tenant]))
    for (const [lane, tenant] of tenants) this.#running[lane]?.turns.take(tenant)
    const since = this.#options.now()
    for (const one of offered) this.#insert({ ...one, since })
    this.#beginWaiting()
    return true
  }

  /** Begins whatever may begin now. */
  pump(): void {
    this.#dropGone()
    this.#beginWaiting()
  }

  /**
   * A request's second task in a lane ranks like its tenant's next request there: many tasks of one do not go before
   * the single ones of others.
   */
  #ranked(tasks: readonly Task[]): Sized[] {
    const before = new Map<number, number>()
    return tasks.map(task => {
      const { cost, lane } = this.#sizeOf(task)
      const nth = before.get(lane) ?? 0
      before.set(lane, nth + 1)
      return { task, cost, lane, rank: (this.#running[lane]?.turns.rankFor(task.tenant) ?? 0) + nth }
    })
  }

  #beginWaiting(): void {
    const closed = new Set<number>()
    this.#keepWaiting(waiting => {
      // What has just begun may be reading this one's state.
      this.#sizeAnew(waiting)
      if (closed.has(waiting.lane)) return true
      if (this.#begin(waiting)) return false
      // First come, first served within a lane.
      closed.add(waiting.lane)
      return true
    })
  }

  #begin({ task, rank, cost, lane, since }: Waiting): boolean {
    const running = this.#running[lane]
    if (running === undefined) return false
    const batched = lane === SMALL || lane === RIDING
    const fits = running.tasks === 0 || (batched && running.tokens + cost <= this.#options.batchTokens)
    if (!fits) return false
    const work = task.begin()
    if (work === null) return false
    running.turns.came(rank)
    running.until = running.tasks === 0 ? task.deadline : Math.max(running.until, task.deadline)
    running.tasks += 1
    running.tokens += cost
    const learn = running.pace.begin(cost)
    this.#options.onBegin(this.#options.now() - since, this.#runningTokens())
    const end = (ending: Ending) => {
      running.tasks -= 1
      running.tokens -= cost
      learn(ending)
      this.pump()
    }
    work.then(
      () => end('done'),
      // Past its deadline the caller has often left too: what the fault says does not tell one from the other.
      () => end(this.#options.now() >= task.deadline ? 'late' : 'other'),
    )
    return true
  }

  #sizeOf(task: Task): { cost: number; lane: number } {
    const cost = task.cost()
    const extent = task.extent()
    const { batchTokens } = this.#options
    if (extent <= batchTokens) return { cost, lane: SMALL }
    if (cost < extent) return { cost, lane: RIDING }
    return { cost, lane: cost <= batchTokens * MEDIUM_BATCHES ? MEDIUM : LONG }
  }

  /** Where that puts it in another lane, it is as many turns from its own as it was. */
  #sizeAnew(waiting: Waiting): void {
    const { cost, lane } = this.#sizeOf(waiting.task)
    const turnOf = (of: number) => this.#running[of]?.turns.current ?? 0
    waiting.rank += turnOf(lane) - turnOf(waiting.lane)
    waiting.cost = cost
    waiting.lane = lane
  }

  /** Whether too much waits in the lane before the last of these, or so much that it would end past its deadline. */
  #refuses(lane: number, offered: readonly Sized[]): boolean {
    const own = offered.filter(one => one.lane === lane)
    const last = own.at(-1)
    if (last === undefined) return false
    const waiting = this.#waiting.filter(one => one.lane === lane)
    // What comes after it is the concern of those who wait there: a tenant's flood is refused to that tenant alone.
    const ahead = tokensOf(waiting.filter(({ rank }) => rank <= last.rank))
    const more = tokensOf(own)
    // What finds nothing before it is taken whatever its size, or it would never be.
    if (ahead > 0 && more > 0 && ahead + more > this.#options.capacityTokens) return true
    // What finds the lane empty is always taken: the pace could be wrong, and is put right by what runs.
    if (waiting.length === 0 && this.#running[lane]?.tasks === 0) return false
    return this.#isLate(lane, CAUTION * ahead + more, last.task)
  }

  /** Whether so many tokens, the task's own last, end past its deadline when they go next in the lane. */
  #isLate(lane: number, tokens: number, { deadline }: Task): boolean {
    // When the state comes that is ridden on is not this lane's doing.
    if (lane === RIDING) return false
    const running = this.#running[lane]
    if (running === undefined) return false
    const now = this.#options.now()
    return now + running.pace.msFor(tokens, running.until - now) > deadline
  }

  #dropGone(): void {
    this.#keepWaiting(waiting => {
      this.#sizeAnew(waiting)
      const { task, cost, lane } = waiting
      // What cannot end in time any more is not begun: its turn is worth more to the next.
      const why = task.gone() ?? (this.#isLate(lane, cost, task) ? new Interrupted('deadline') : null)
      if (why !== null) task.drop(why)
      return why === null
    })
    this.#waiting.sort((a, b) => a.rank - b.rank)
    for (const [lane, { turns }] of this.#running.entries()) {
      if (!this.#waiting.some(one => one.lane === lane)) turns.clear()
    }
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
