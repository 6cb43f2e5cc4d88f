// The tasks that wait for the engine, and which of them goes next. The engine takes its runs round-robin from the tasks
// that have begun, so beginning many at once would only make each of them slow. A batch is the set of tasks under way
// together, and its padded tokens are limited.
import { Interrupted } from '../../backend/backend.ts'
import { Held } from '../held.ts'
import { type Lane, Lanes, type Size } from './lanes.ts'
import type { Ending } from './pace.ts'
import type { Task } from './task.ts'
import { type SharedState, Together } from './together.ts'
import { byRank, type Turn } from './turns.ts'

type QueueOptions = {
  /** Padded tokens of a batch. Larger tasks go in lanes that run one task at a time. */
  batchTokens: number
  /**
   * Padded tokens that a request and what waits ahead of it in a lane may have together. A long state takes no room from
   * small tasks.
   */
  capacityTokens: number
  now: () => number
  onBegin: (batchTokens: number) => void
  /** Called when a task begins or is dropped: if only the former counted, an overload would look like short waits. */
  onWaited: (waitedMs: number) => void
}

type Waiting = Turn & Size & { readonly task: Task; readonly state: SharedState; readonly since: number }

/**
 * Looking through thousands of tasks takes more than a millisecond of the thread that answers requests. So it is not done
 * for each task that ends, but once there is room for a run, or the lane is empty. Nor is it done for each that is offered
 * and has to wait: what has been given up may count as waiting for this long.
 */
const LOOK_MS = 50
/** The engine may become slower while tasks wait, and a queue just short enough would then be too long for all. */
const CAUTION = 1.5

export class WorkQueue {
  readonly #options: QueueOptions
  /** In the order it came. Ranks are compared within a lane. */
  #waiting: Waiting[] = []
  readonly #states = new Held<SharedState>()
  readonly #lanes: Lanes
  #lookedAt = 0
  #goesOn = false

  constructor(options: QueueOptions) {
    this.#options = options
    this.#lanes = new Lanes(options.batchTokens, options.now)
  }

  get depth(): { waiting: number; waitingTokens: number; running: number; runningTokens: number } {
    const together = new Together()
    for (const waiting of this.#waiting) together.add(waiting)
    return {
      waiting: this.#waiting.length,
      waitingTokens: together.cost,
      running: this.#lanes.all.reduce((sum, { running }) => sum + running, 0),
      runningTokens: this.#runningTokens(),
    }
  }

  /** Takes all tasks of a request, or none if they would wait behind too much or end past their deadline. */
  offer(tasks: readonly Task[]): boolean {
    const since = this.#options.now()
    const offered = tasks.map(task => ({
      task,
      tenant: task.tenant,
      request: tasks,
      state: this.#states.hold(task.state.key, () => ({ tokens: task.state.tokens, sum: null })),
      since,
      rank: 0,
      place: 0,
      ...this.#lanes.sizeOf(task),
    }))
    const lanes = Map.groupBy(offered, one => one.lane)
    for (const [lane, own] of lanes) lane.turns.rankNew(own)
    const looks = since - this.#lookedAt >= LOOK_MS || offered.some(one => this.#mayBegin(one))
    if (looks) {
      this.#look()
      for (const [lane, own] of lanes) lane.turns.rankNew(own)
    }
    const taken = ![...lanes].some(([lane, own]) => this.#refuses(lane, own))
    if (taken) {
      for (const [lane, own] of lanes) lane.turns.add(own)
      for (const { lane, rank } of offered) lane.first = Math.min(lane.first, rank)
      this.#waiting.push(...offered)
    } else {
      for (const { task } of offered) this.#states.release(task.state.key)
    }
    if (looks) this.#beginWaiting()
    return taken
  }

  /** Whether nothing in its lane goes before it, and there is room. */
  #mayBegin({ lane, rank, cost }: Waiting): boolean {
    return rank < lane.first && lane.hasRoom(cost)
  }

  /** Tries what is ranked. */
  #beginWaiting(): void {
    const begun = new Set<Waiting>()
    for (const lane of this.#lanes.all) lane.first = Number.POSITIVE_INFINITY
    for (const waiting of this.#waiting.toSorted(byRank)) {
      // A task that has just begun may be encoding this one's state.
      if (begun.size > 0) Object.assign(waiting, this.#lanes.sizeOf(waiting.task))
      // First come, first served within a lane.
      if (waiting.lane.first <= waiting.rank) continue
      if (this.#begin(waiting)) begun.add(waiting)
      else waiting.lane.first = waiting.rank
    }
    this.#waiting = this.#waiting.filter(waiting => !begun.has(waiting))
    for (const { task } of begun) this.#states.release(task.state.key)
  }

  #begin(waiting: Waiting): boolean {
    const { task, cost, lane, since } = waiting
    if (!lane.hasRoom(cost)) return false
    const work = task.begin()
    if (work === null) return false
    lane.turns.begin(waiting)
    lane.begin(task)
    const learn = lane.pace.begin(cost)
    this.#options.onWaited(this.#options.now() - since)
    this.#options.onBegin(this.#runningTokens())
    const end = (ending: Ending) => {
      lane.end(task)
      learn(ending)
      if (lane.hasRoomForRun) this.#goOn()
    }
    work.then(
      () => end('done'),
      // Past the deadline the caller has often left too, and the fault does not tell the two cases apart.
      () => end(this.#options.now() >= task.deadline ? 'late' : 'other'),
    )
    return true
  }

  /** Fills the room that tasks left. Once for all that end together, as a batch of small ones does. */
  #goOn(): void {
    if (this.#goesOn) return
    this.#goesOn = true
    queueMicrotask(() => {
      this.#goesOn = false
      this.#look()
      this.#beginWaiting()
    })
  }

  /** Whether the lane has too much waiting ahead of the last of these tasks, or enough to make it miss its deadline. */
  #refuses(lane: Lane, own: readonly Waiting[]): boolean {
    const last = own.at(-1)
    if (last === undefined) return false
    let isEmpty = lane.running === 0
    const together = new Together()
    for (const waiting of this.#waiting) {
      if (waiting.lane !== lane) continue
      isEmpty = false
      // Tasks that rank after it do not matter here: only the tenant that floods the queue is refused.
      if (waiting.rank <= last.rank) together.add(waiting)
    }
    const ahead = together.cost
    for (const one of own) together.add(one)
    const more = together.cost - ahead
    // The capacity does not limit a task with nothing ahead of it: otherwise a very large one would never be taken.
    if (ahead > 0 && ahead + more > this.#options.capacityTokens) return true
    // A task that finds the lane empty is always taken: the pace could be wrong, and only running tasks can correct it.
    if (isEmpty) return false
    return this.#lanes.isLate(lane, CAUTION * ahead + more, last.task.deadline, this.#options.now())
  }

  /** Drops what is gone or late, and ranks the rest. */
  #look(): void {
    const now = this.#options.now()
    this.#lookedAt = now
    this.#waiting = this.#waiting.filter(waiting => {
      Object.assign(waiting, this.#lanes.sizeOf(waiting.task))
      const { task, cost, lane, since } = waiting
      // A task that can no longer end in time is not begun: the next can make better use of its turn.
      const why = task.gone()
        ? 'cancelled'
        : this.#lanes.isLate(lane, cost, task.deadline, now)
          ? 'deadline'
          : null
      if (why === null) return true
      this.#states.release(task.state.key)
      task.drop(new Interrupted(why))
      this.#options.onWaited(now - since)
      return false
    })
    const waiting = Map.groupBy(this.#waiting, one => one.lane)
    for (const lane of this.#lanes.all) {
      const own = waiting.get(lane) ?? []
      if (lane.running === 0 && own.length === 0) lane.turns.forget()
      else lane.turns.rank(own)
    }
  }

  #runningTokens(): number {
    return this.#lanes.all.reduce((sum, { pace }) => sum + pace.underWay, 0)
  }
}
