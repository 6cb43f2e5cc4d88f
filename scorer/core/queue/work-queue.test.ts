import { describe, expect, it } from 'vitest'
import { Interrupted } from '../../backend/backend.ts'
import { type Task, WorkQueue } from './work-queue.ts'

const setup = ({ batchTokens = 100, capacityTokens = 10_000 } = {}) => {
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
      extent = () => cost,
      deadline = Number.POSITIVE_INFINITY,
      left = () => false,
      room = () => true,
    }: {
      tenant?: string
      cost?: number
      extent?: () => number
      deadline?: number
      left?: () => boolean
      room?: () => boolean
    } = {},
  ): Task => ({
    tenant,
    cost: () => cost,
    extent,
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

describe('the work queue', () => {
  it('begins tasks together up to a batch of padded tokens, in the order they came', async () => {
    const { queue, task, begun, end, batches } = setup()
    for (const name of ['a', 'b', 'c', 'd']) queue.offer([task(name, { cost: 40 })])
    expect(begun).toEqual(['a', 'b'])
    await end('a')
    expect(begun).toEqual(['a', 'b', 'c'])
    expect(batches).toEqual([40, 80, 80])
  })

  it('looks through what waits once, not once for each task, when a batch ends together', async () => {
    const { queue, task, begun, end } = setup()
    const batch = Array.from({ length: 10 }, (_, nth) => `${nth}`)
    for (const name of batch) queue.offer([task(name)])
    let looks = 0
    const left = () => {
      looks += 1
      return false
    }
    for (const name of ['next', 'last']) queue.offer([task(name, { cost: 100, left })])
    looks = 0
    await Promise.all(batch.map(name => end(name)))
    expect(looks).toBe(2)
    expect(begun.at(-1)).toBe('next')
  })

  it('looks through what waits only now and then while more is offered that has to wait or is refused', () => {
    const { queue, task, pass, dropped } = setup({ capacityTokens: 100 })
    pass(1_000)
    let looks = 0
    const left = () => {
      looks += 1
      return true
    }
    queue.offer([task('running', { cost: 100 })])
    const flood = Array.from({ length: 20 }, (_, at) => queue.offer([task(`${at}`, { left })]))
    expect(flood).toEqual([...Array(10).fill(true), ...Array(10).fill(false)])
    expect(looks).toBe(0)
    pass(50)
    expect(queue.offer([task('later')])).toBe(true)
    expect([looks, dropped.length]).toEqual([10, 10])
  })

  it('looks through nothing for what there would be room for if nothing waited ahead of it', () => {
    const { queue, task } = setup()
    let looks = 0
    const left = () => {
      looks += 1
      return false
    }
    queue.offer([task('running', { cost: 60 })])
    queue.offer([task('large', { tenant: 'two', cost: 60, left })])
    looks = 0
    for (const tenant of ['one', 'two', 'three']) queue.offer([task(tenant, { tenant, left })])
    expect(looks).toBe(0)
  })

  it('looks through what waits once for many small tasks that end one after another', async () => {
    const { queue, task, begun, end } = setup({ batchTokens: 160 })
    const small = Array.from({ length: 20 }, (_, nth) => `${nth}`)
    queue.offer([task('large', { cost: 140 })])
    for (const name of small) queue.offer([task(name, { cost: 1 })])
    let looks = 0
    const left = () => {
      looks += 1
      return false
    }
    queue.offer([task('next', { left })])
    for (const name of small.slice(0, 19)) await end(name)
    expect([looks, begun.includes('next')]).toEqual([0, false])
    await end('19')
    expect([looks, begun.at(-1)]).toEqual([1, 'next'])
  })

  it('saves up no turns for a tenant whose task is still under way', async () => {
    const { queue, task, begun, end } = setup()
    queue.offer([task('slow', { tenant: 'slow', cost: 50 })])
    for (const name of ['a', 'b', 'c']) queue.offer([task(name, { tenant: 'busy', cost: 50 })])
    await end('a')
    await end('b')
    queue.offer([task('d', { tenant: 'busy', cost: 50 })])
    queue.offer([task('other', { tenant: 'other', cost: 50 })])
    queue.offer([task('slow again', { tenant: 'slow', cost: 50 })])
    await end('slow')
    await end('c')
    expect(begun).toEqual(['slow', 'a', 'b', 'c', 'other', 'slow again'])
  })

  it('does not let a smaller task overtake another in its lane', async () => {
    const { queue, task, begun, end } = setup()
    for (const name of ['a', 'b']) queue.offer([task(name, { cost: 50 })])
    queue.offer([task('c', { tenant: 'two', cost: 60 })])
    queue.offer([task('d', { tenant: 'three', cost: 10 })])
    await end('a')
    expect(begun).toEqual(['a', 'b'])
    await end('b')
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
  })

  it('never makes small tasks wait for longer ones, or medium tasks for long ones', () => {
    const { queue, task, begun } = setup()
    queue.offer([task('longest', { cost: 65_536 })])
    queue.offer([task('long', { cost: 60_000 })])
    queue.offer([task('medium', { cost: 300 })])
    queue.offer([task('small')])
    expect(begun).toEqual(['longest', 'medium', 'small'])
  })

  it('keeps tasks that wait for a long state out of the small and long lanes while it is encoded', async () => {
    const { queue, task, begun, end } = setup()
    let read = false
    const extent = () => (read ? 40 : 60_040)
    queue.offer([task('reader', { cost: 60_000 })])
    for (const name of ['a', 'b', 'c']) queue.offer([task(name, { cost: 40, extent })])
    queue.offer([task('long', { cost: 60_000 })])
    queue.offer([task('small', { cost: 100 })])
    expect(begun).toEqual(['reader', 'a', 'b', 'small'])
    await end('small')
    expect(begun).toEqual(['reader', 'a', 'b', 'small'])
    read = true
    await end('reader')
    expect(begun).toEqual(['reader', 'a', 'b', 'small', 'c', 'long'])
  })

  it('begins a task that waits for a state together with the task that encodes it', async () => {
    const { queue, task, begun, end } = setup({ capacityTokens: 200_000 })
    const isRead = () => begun.includes('reader')
    queue.offer([task('long', { cost: 60_000 })])
    queue.offer([task('reader', { cost: 60_000 })])
    queue.offer([{ ...task('joiner', { extent: () => 60_040 }), cost: () => (isRead() ? 40 : 60_040) }])
    expect(begun).toEqual(['long'])
    await end('long')
    expect(begun).toEqual(['long', 'reader', 'joiner'])
  })

  it('counts tasks that wait for a state only by their questions, so that they fill no lane', () => {
    const { queue, task } = setup({ capacityTokens: 100 })
    queue.offer([task('reader', { cost: 60_000 })])
    const joiner = (name: string) => task(name, { cost: 50, extent: () => 60_050 })
    expect(['a', 'b', 'c', 'd'].map(name => queue.offer([joiner(name)]))).toEqual([true, true, true, true])
    expect(queue.offer([joiner('e')])).toBe(false)
    expect(queue.offer([task('long', { cost: 60_000 })])).toBe(true)
  })

  it('lets tasks that wait for a small state being encoded join the batch', () => {
    const { queue, task, begun } = setup()
    queue.offer([task('reader', { cost: 60 })])
    for (const name of ['a', 'b', 'c', 'd']) queue.offer([task(name, { cost: 10, extent: () => 60 })])
    expect(begun).toEqual(['reader', 'a', 'b', 'c', 'd'])
  })

  it('counts a task anew once another is encoding its state', () => {
    const { queue, task, begun, batches } = setup()
    const joiner = { ...task('joiner'), cost: () => (begun.includes('reader') ? 10 : 60) }
    queue.offer([task('reader', { cost: 60 }), joiner])
    expect([begun, batches]).toEqual([
      ['reader', 'joiner'],
      [60, 70],
    ])
  })

  it('drops a task before any work if nobody waits for it', async () => {
    const { queue, task, begun, dropped, end } = setup()
    let left = false
    queue.offer([task('a', { cost: 100 })])
    queue.offer([task('b', { left: () => left })])
    queue.offer([task('c')])
    left = true
    await end('a')
    expect(begun).toEqual(['a', 'c'])
    expect(dropped).toEqual(['b'])
  })

  it('drops a task that, at the pace it knows, can no longer end in time', async () => {
    const { queue, task, begun, dropped, end, pass } = setup()
    queue.offer([task('a', { cost: 100 })])
    pass(100)
    await end('a')
    queue.offer([task('b', { cost: 100 })])
    expect(queue.offer([task('c', { cost: 100, deadline: 100 + 199 })])).toBe(false)
    expect(queue.offer([task('c', { cost: 100, deadline: 100 + 250 })])).toBe(true)
    queue.offer([task('d', { cost: 100 })])
    pass(160)
    await end('b')
    expect([begun, dropped]).toEqual([['a', 'b', 'd'], ['c']])
  })

  it('allows time for what waits for memory, too', async () => {
    const { queue, task, end, pass } = setup()
    queue.offer([task('a', { cost: 100 })])
    pass(100)
    await end('a')
    queue.offer([task('b', { cost: 100, room: () => false })])
    expect(queue.offer([task('c', { cost: 100, deadline: 100 + 199 })])).toBe(false)
  })

  it('learns no pace from a task that was given up before its deadline', async () => {
    const { queue, task, end, pass } = setup()
    queue.offer([task('a', { cost: 100 })])
    pass(100)
    await end('a')
    queue.offer([task('b', { cost: 100 })])
    pass(10_000)
    await end('b', new Interrupted('cancelled'))
    queue.offer([task('c', { cost: 100 })])
    expect(queue.offer([task('d', { cost: 100, deadline: 10_100 + 250 })])).toBe(true)
  })

  it('allows time for everything under way, not only for what ends soonest', async () => {
    const { queue, task, end, pass } = setup()
    queue.offer([task('a', { cost: 100 })])
    pass(100)
    await end('a')
    queue.offer([task('b', { cost: 60 }), task('c', { cost: 40, deadline: 100 + 40 })])
    expect(queue.offer([task('d', { cost: 100, deadline: 100 + 199 })])).toBe(false)
  })

  it('allows no time for tasks that have ended, however late their deadlines', async () => {
    const { queue, task, end, pass } = setup()
    queue.offer([task('a', { cost: 100, deadline: 100_000 })])
    pass(100)
    await end('a')
    queue.offer([task('b', { cost: 100, deadline: 100 + 50 })])
    expect(queue.offer([task('c', { cost: 100, deadline: 100 + 199 })])).toBe(true)
  })

  it('does not refuse a task that waits for a state because another waited long for its own', async () => {
    const { queue, task, end, pass } = setup()
    const rider = (name: string, deadline?: number) =>
      task(name, { cost: 100, extent: () => 60_100, ...(deadline !== undefined && { deadline }) })
    queue.offer([rider('a')])
    pass(10_000)
    await end('a')
    queue.offer([rider('b')])
    expect(queue.offer([rider('c', 10_000 + 5_000)])).toBe(true)
  })

  it('says at once that it is full, and takes all tasks of a request or none', () => {
    const { queue, task } = setup({ capacityTokens: 100 })
    expect(queue.offer([task('running', { cost: 100 })])).toBe(true)
    expect(queue.offer([task('a', { cost: 60 })])).toBe(true)
    expect(queue.offer([task('b', { cost: 20 }), task('c', { cost: 30 })])).toBe(false)
    expect(queue.depth).toEqual({ waiting: 1, waitingTokens: 60, running: 1, runningTokens: 100 })
    expect(queue.offer([task('d', { cost: 40 })])).toBe(true)
  })

  it('takes none of a request if one of its lanes is full, and begins at once what another has room for', () => {
    const { queue, task, begun } = setup({ capacityTokens: 100 })
    queue.offer([task('running', { cost: 100 })])
    expect(queue.offer([task('a', { cost: 60 }), task('long', { cost: 60_000 })])).toBe(true)
    expect(queue.offer([task('b', { cost: 60 }), task('medium', { cost: 300 })])).toBe(false)
    expect(begun).toEqual(['running', 'long'])
  })

  it('takes a request larger than its capacity if nothing is waiting', () => {
    const { queue, task } = setup({ capacityTokens: 100 })
    queue.offer([task('running', { cost: 100 })])
    expect(queue.offer([task('huge', { cost: 5_000 })])).toBe(true)
  })

  it('is full only for those who would wait behind too much', () => {
    const { queue, task } = setup({ batchTokens: 10, capacityTokens: 100 })
    const offer = (tenant: string) => queue.offer([task(tenant, { tenant })])
    expect(offer('b')).toBe(true)
    const flood = Array.from({ length: 11 }, () => offer('a'))
    expect(flood).toEqual([...Array(10).fill(true), false])
    expect([offer('b'), offer('c')]).toEqual([true, true])
    expect(offer('a')).toBe(false)
  })

  it('is not full for a tenant because of what its callers have given up', () => {
    const { queue, task, pass } = setup({ batchTokens: 10, capacityTokens: 50 })
    let left = false
    queue.offer([task('running', { tenant: 'c' })])
    const offer = (tenant: string, cost: number) =>
      queue.offer([task(tenant, { tenant, cost, left: () => left && tenant === 'a' })])
    for (let nth = 0; nth < 5; nth++) expect([offer('a', 1), offer('b', 9)]).toEqual([true, true])
    left = true
    pass(50)
    expect(queue.offer([task('again', { tenant: 'a', cost: 9 })])).toBe(true)
  })

  it('is full for the last of many tenants with one task each', () => {
    const { queue, task } = setup({ batchTokens: 10, capacityTokens: 100 })
    const offered = Array.from({ length: 12 }, (_, at) => queue.offer([task(`${at}`, { tenant: `${at}` })]))
    expect(offered).toEqual([...Array(11).fill(true), false])
  })

  it('shares turns between a request of many tasks and requests of one', async () => {
    const { queue, task, begun, end } = setup({ batchTokens: 10 })
    queue.offer(['m1', 'm2', 'm3', 'm4'].map(name => task(name)))
    queue.offer([task('s1')])
    queue.offer([task('s2')])
    for (const name of ['m1', 'm2', 's1', 'm3', 's2']) await end(name)
    expect(begun).toEqual(['m1', 'm2', 's1', 'm3', 's2', 'm4'])
  })

  it('gives the next turn to a tenant with nothing waiting or under way, however much others have', async () => {
    const { queue, task, begun, end } = setup({ batchTokens: 10 })
    for (const name of ['a1', 'a2', 'a3']) queue.offer([task(name, { tenant: 'a' })])
    for (const name of ['b1', 'b2']) queue.offer([task(name, { tenant: 'b' })])
    await end('a1')
    queue.offer([task('c1', { tenant: 'c' })])
    for (const name of ['b1', 'c1']) await end(name)
    // But not ahead of those whose turn has already come.
    queue.offer([task('d1', { tenant: 'd' })])
    for (const name of ['a2', 'b2', 'd1']) await end(name)
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'd1', 'a3'])
  })

  it('gives a tenant its second turn although others ask again as soon as they are answered', async () => {
    const { queue, task, begun, end } = setup({ batchTokens: 10 })
    for (const name of ['a1', 'a2']) queue.offer([task(name, { tenant: 'a' })])
    for (const tenant of ['b', 'c']) queue.offer([task(`${tenant}1`, { tenant })])
    await end('a1')
    for (const nth of [1, 2]) {
      for (const tenant of ['b', 'c']) {
        await end(`${tenant}${nth}`)
        queue.offer([task(`${tenant}${nth + 1}`, { tenant })])
      }
      await end('a2')
    }
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2', 'b3'])
  })

  it('forgets whose turn it was when a lane is empty', async () => {
    const { queue, task, begun, end } = setup({ batchTokens: 10 })
    queue.offer([task('a1', { tenant: 'a' })])
    await end('a1')
    for (const [name, tenant] of Object.entries({ b1: 'b', a2: 'a', c1: 'c' }))
      queue.offer([task(name, { tenant })])
    for (const name of ['b1', 'a2']) await end(name)
    expect(begun).toEqual(['a1', 'b1', 'a2', 'c1'])
  })

  it('remembers whose turn it was while its task is under way, even if nothing waits', async () => {
    const { queue, task, begun, pass, end } = setup({ batchTokens: 10 })
    queue.offer([task('a1', { tenant: 'a' })])
    pass(50)
    queue.offer([task('a2', { tenant: 'a' })])
    queue.offer([task('b1', { tenant: 'b' })])
    await end('a1')
    expect(begun).toEqual(['a1', 'b1'])
  })

  it('does not hold abandoned requests against a tenant, even if the lane is never empty', async () => {
    const { queue, task, begun, end } = setup({ batchTokens: 10 })
    let left = false
    queue.offer([task('a1', { tenant: 'a' })])
    for (const name of ['b1', 'b2', 'b3']) queue.offer([task(name, { tenant: 'b', left: () => left })])
    queue.offer([task('a2', { tenant: 'a' })])
    left = true
    await end('a1')
    queue.offer([task('b4', { tenant: 'b' })])
    queue.offer([task('a3', { tenant: 'a' })])
    await end('a2')
    expect(begun).toEqual(['a1', 'a2', 'b4'])
  })

  it('does not hold abandoned requests against those of the same tenant that wait on', async () => {
    const { queue, task, begun, end } = setup({ batchTokens: 10 })
    let left = false
    const b = (name: string) => task(name, { tenant: 'b', left: () => left })
    queue.offer([task('a1', { tenant: 'a' })])
    queue.offer([b('b1'), b('b2')])
    for (const name of ['b3', 'b4', 'b5']) queue.offer([b(name)])
    for (const name of ['b6', 'b7']) queue.offer([task(name, { tenant: 'b' })])
    for (const name of ['a2', 'a3', 'a4']) queue.offer([task(name, { tenant: 'a' })])
    left = true
    queue.offer([task('b8', { tenant: 'b' })])
    for (const name of ['a1', 'b6', 'b7', 'a2', 'a3', 'b8']) await end(name)
    expect(begun).toEqual(['a1', 'b6', 'b7', 'a2', 'a3', 'b8', 'a4'])
  })

  it('counts a turn for a request that is abandoned after some of it has begun', async () => {
    const { queue, task, begun, end } = setup({ batchTokens: 10 })
    let left = false
    queue.offer(['a1', 'a2', 'a3'].map(name => task(name, { tenant: 'a', left: () => left })))
    queue.offer([task('a4', { tenant: 'a' })])
    for (const tenant of ['b', 'c']) queue.offer([task(tenant, { tenant })])
    left = true
    for (const name of ['a1', 'b', 'c']) await end(name)
    expect(begun).toEqual(['a1', 'b', 'c', 'a4'])
  })

  it('has turns per lane: the turns a tenant takes in one lane do not count in another', async () => {
    const { queue, task, begun, end } = setup()
    const small = ['a1', 'a2', 'a3', 'a4'].map(name => task(name, { tenant: 'a', cost: 100 }))
    queue.offer([...small, task('a long', { tenant: 'a', cost: 60_000 })])
    queue.offer([task('b', { tenant: 'b', cost: 100 })])
    for (const name of ['a1', 'b']) await end(name)
    expect(begun).toEqual(['a1', 'a long', 'b', 'a2'])
  })

  it('keeps the turn of a task that moves to another lane', async () => {
    const { queue, task, begun, end } = setup()
    for (const name of ['a1', 'a2', 'a3']) queue.offer([task(name, { tenant: 'a', cost: 100 })])
    for (const name of ['a1', 'a2']) await end(name)
    let extent = 100
    const rider = (name: string) => task(name, { tenant: name, cost: 100, extent: () => extent })
    queue.offer([rider('b')])
    extent = 60_100
    for (const name of ['c', 'd']) queue.offer([rider(name)])
    for (const name of ['b', 'c']) await end(name)
    expect(begun).toEqual(['a1', 'a2', 'a3', 'b', 'c', 'd'])
  })

  it('leaves a task waiting while memory is short, without holding up other lanes', async () => {
    const { queue, task, begun, end } = setup()
    let room = false
    queue.offer([task('small', { cost: 90 })])
    queue.offer([task('long', { cost: 60_000, room: () => room })])
    queue.offer([task('next', { cost: 90 })])
    await end('small')
    expect(begun).toEqual(['small', 'next'])
    room = true
    await end('next')
    expect(begun).toEqual(['small', 'next', 'long'])
  })

  it('measures how long each task waited', async () => {
    const { queue, task, waits, pass, end } = setup()
    pass(1_000)
    queue.offer([task('a', { cost: 100 })])
    queue.offer([task('b', { cost: 100 })])
    pass(30)
    await end('a')
    expect(waits).toEqual([0, 30])
  })

  it('measures the wait of a task that is dropped, too', async () => {
    const { queue, task, waits, dropped, pass, end } = setup()
    pass(1_000)
    queue.offer([task('a', { cost: 100 })])
    queue.offer([task('b', { left: () => true })])
    pass(30)
    await end('a')
    expect([dropped, waits]).toEqual([['b'], [0, 30]])
  })
})
