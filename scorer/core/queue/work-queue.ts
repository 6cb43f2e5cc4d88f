// What waits for the engine, and what of it goes next. The engine takes its runs round-robin from the jobs that have
// begun, so beginning many at once only makes each of them slow: a batch is what is under way together, and holds at
// most so many padded tokens.
import { Interrupted } from '../../backend/backend.ts'
import { type Ending, Pace } from './pace.ts'
import { byRank, Turns } from './turns.ts'

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

type Lane = {
  /** Whether a batch of tasks goes together, or one alone. */
  readonly batched: boolean
  readonly pace: Pace
  readonly turns: Turns
  /** What is under way. */
  readonly running: Set<Task>
  /** The latest deadline of what is under way: by then it has ended, done or not. */
  until: number
}
type Waiting = { readonly task: Task; readonly since: number; rank: number; cost: number; lane: Lane }

/**
 * By size. The first takes a batch of small tasks, the next two one task each, so that a 65,536-token state delays
 * another long one by its share of the engine, and short ones by a block. The last takes a batch of those that wait
 * for a long state another task reads: among the small ones they would hold places and do nothing.
 */
type Lanes = { readonly [name in 'small' | 'medium' | 'long' | 'riding']: Lane }
const MEDIUM_BATCHES = 4

/** A CPU is busy with that part of a batch: joined runs are no longer than that. */
const BUSY_PART = 1 / 8
/**
 * A task of a batch that ran out of time was far from done. Were it thought nearly done, an engine that has become
 * slower would go on beginning what it cannot end.
 */
const LATE_IN_A_BATCH = 4
/** One that had its lane to itself takes that long at least: a tenant's that never end must not have others' refused. */
const LATE_ALONE = 1
/** The engine may become slower while a task waits: a queue that is just short enough would then be too long for all. */
const CAUTION = 1.5

export class WorkQueue {
  readonly #options: QueueOptions
  /** In order of rank, which counts within a lane, whenever the next is looked for. */
  #waiting: Waiting[] = []
  readonly #lanes: Lanes

  constructor(options: QueueOptions) {
    this.#options = options
    const { batchTokens, now } = options
    const lane = (batched: boolean): Lane => {
      const pace = new Pace({
        busyTokens: batchTokens * BUSY_PART,
        windowTokens: batchTokens,
        lateFactor: batched ? LATE_IN_A_BATCH : LATE_ALONE,
        now,
      })
      return { batched, pace, turns: new Turns(), running: new Set(), until: 0 }
    }
    this.#lanes = { small: lane(true), medium: lane(false), long: lane(false), riding: lane(true) }
  }

  get depth(): { waiting: number; waitingTokens: number; running: number; runningTokens: number } {
    return {
      waiting: this.#waiting.length,
      waitingTokens: tokensOf(this.#waiting),
      running: this.#allLanes.reduce((sum, { running }) => sum + running.size, 0),
      runningTokens: this.#runningTokens(),
    }
  }

  /** Takes all tasks of a request or, where they would wait behind too much or past their deadline, none. */
  offer(tasks: readonly Task[]): boolean {
    this.#dropGone()
    const offered = this.#ranked(tasks)
    if (this.#allLanes.some(lane => this.#refuses(lane, offered))) return false
    const tenants = new Map(offered.map(({ lane, task }) => [lane, task.tenant]))
    for (const [lane, tenant] of tenants) lane.turns.take(tenant)
    this.#waiting.push(...offered)
    this.#beginWaiting()
    return true
  }

  /**
   * A request's second task in a lane ranks like its tenant's next request there: many tasks of one do not go before
   * the single ones of others.
   */
  #ranked(tasks: readonly Task[]): Waiting[] {
    const since = this.#options.now()
    const before = new Map<Lane, number>()
    return tasks.map(task => {
      const { cost, lane } = this.#sizeOf(task)
      const nth = before.get(lane) ?? 0
      before.set(lane, nth + 1)
      return { task, since, cost, lane, rank: lane.turns.rankFor(task.tenant) + nth }
    })
  }

  #beginWaiting(): void {
    const closed = new Set<Lane>()
    this.#waiting = this.#waiting.toSorted(byRank).filter(waiting => {
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
    const fits = lane.batched && lane.pace.underWay + cost <= this.#options.batchTokens
    if (lane.running.size > 0 && !fits) return false
    const work = task.begin()
    if (work === null) return false
    lane.turns.came(rank)
    lane.until = lane.running.size === 0 ? task.deadline : Math.max(lane.until, task.deadline)
    lane.running.add(task)
    const learn = lane.pace.begin(cost)
    this.#options.onBegin(this.#options.now() - since, this.#runningTokens())
    const end = (ending: Ending) => {
      lane.running.delete(task)
      learn(ending)
      this.#dropGone()
      this.#beginWaiting()
    }
    work.then(
      () => end('done'),
      // Past its deadline the caller has often left too: what the fault says does not tell one from the other.
      () => end(this.#options.now() >= task.deadline ? 'late' : 'other'),
    )
    return true
  }

  #sizeOf(task: Task): { cost: number; lane: Lane } {
    const cost = task.cost()
    const extent = task.extent()
    const { batchTokens } = this.#options
    const { small, medium, long, riding } = this.#lanes
    if (extent <= batchTokens) return { cost, lane: small }
    if (cost < extent) return { cost, lane: riding }
    return { cost, lane: cost <= batchTokens * MEDIUM_BATCHES ? medium : long }
  }

  /** Where that puts it in another lane, it is as many turns from its own as it was. */
  #sizeAnew(waiting: Waiting): void {
    const { cost, lane } = this.#sizeOf(waiting.task)
    waiting.rank += lane.turns.current - waiting.lane.turns.current
    waiting.cost = cost
    waiting.lane = lane
  }

  /** Whether too much waits in the lane before the last of these, or so much that it would end past its deadline. */
  #refuses(lane: Lane, offered: readonly Waiting[]): boolean {
    const own = offered.filter(one => one.lane === lane)
    const last = own.at(-1)
    if (last === undefined) return false
    const waiting = this.#waiting.filter(one => one.lane === lane)
    // What comes after it is the concern of those who wait there: a tenant's flood is refused to that tenant alone.
    const ahead = tokensOf(waiting.filter(({ rank }) => rank <= last.rank))
    const more = tokensOf(own)
    // What finds nothing before it is taken whatever its size, or it would never be.
    if (ahead > 0 && ahead + more > this.#options.capacityTokens) return true
    // What finds the lane empty is always taken: the pace could be wrong, and is put right by what runs.
    if (waiting.length === 0 && lane.running.size === 0) return false
    return this.#isLate(lane, CAUTION * ahead + more, last.task)
  }

  /** Whether so many tokens, the task's own last, end past its deadline when they go next in the lane. */
  #isLate(lane: Lane, tokens: number, { deadline }: Task): boolean {
    // When the state comes that is ridden on is not this lane's doing.
    if (lane === this.#lanes.riding) return false
    const now = this.#options.now()
    return now + lane.pace.msFor(tokens, lane.until - now) > deadline
  }

  #dropGone(): void {
    this.#waiting = this.#waiting.filter(waiting => {
      this.#sizeAnew(waiting)
      const { task, cost, lane } = waiting
      // What cannot end in time any more is not begun: its turn is worth more to the next.
      const why = task.gone() ?? (this.#isLate(lane, cost, task) ? new Interrupted('deadline') : null)
      if (why !== null) task.drop(why)
      return why === null
    })
    for (const lane of this.#allLanes) {
      const waiting = this.#waiting.filter(one => one.lane === lane).map(({ task }) => task)
      lane.turns.keep(new Set([...lane.running, ...waiting].map(({ tenant }) => tenant)))
    }
  }

  get #allLanes(): readonly Lane[] {
    return Object.values(this.#lanes)
  }

  #runningTokens(): number {
    return this.#allLanes.reduce((sum, { pace }) => sum + pace.underWay, 0)
  }
}

const tokensOf = (waiting: readonly Waiting[]): number => waiting.reduce((sum, { cost }) => sum + cost, 0)
