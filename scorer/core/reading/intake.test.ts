import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { UnitQuestion } from '../../protocol.ts'
import { TEAM, unit } from '../../testing/scorer.ts'
import { MODELS_FOLDER } from '../../testing/snapshot.ts'
import { Turns } from '../queue/turns.ts'
import { loadSnapshots } from '../snapshot/load.ts'
import type { Caller } from './caller.ts'
import { openIntake } from './intake.ts'
import { preparerFor, type ReadingSetup } from './preparer.ts'
import { type BodyReader, openReadingThread } from './reading-thread.ts'

const faults: unknown[] = []
const onFault = (fault: unknown) => void faults.push(fault)
let setup: ReadingSetup
let intake: BodyReader
beforeAll(async () => {
  const snapshots = await loadSnapshots(MODELS_FOLDER)
  setup = { snapshots, cacheSecret: new Uint8Array(32) }
  intake = openIntake(setup, onFault)
})
afterAll(() => intake.close())

const bytes = (value: unknown) => Uint8Array.from(Buffer.from(JSON.stringify(value)))
/** Padded with white space, which JSON allows, so that the body goes to the thread for bodies of its size. */
const padded = (value: unknown, size = LARGE) =>
  Uint8Array.from(Buffer.from(JSON.stringify(value).padEnd(size)))
const [MEDIUM, LARGE] = [4_097, 65_537]

/** Takes long to read. */
const manyOptions = () => {
  const options = Array.from({ length: 1_024 }, (_, i): [string, string] => [
    `option ${i}`,
    'words and more words',
  ])
  const questions = Array.from({ length: 64 }, () => ({
    type: 'choice' as const,
    instructions: 'Which?',
    options,
  }))
  return bytes({ units: [unit({ questions })] })
}

const patient: Caller = {
  tenant: 'a',
  deadline: Number.POSITIVE_INFINITY,
  gone: () => false,
  onGone: () => {},
}
const leaver = () => {
  let left = false
  let hear = () => {}
  const caller: Caller = {
    ...patient,
    gone: () => left,
    onGone: listener => {
      hear = listener
    },
  }
  return {
    caller,
    leave: () => {
      left = true
      hear()
    },
  }
}

/** Sends large bodies of tenants, and notes the order in which they are read. */
const noting = () => {
  const read: string[] = []
  const send = async (tenant: string): Promise<void> => {
    await intake.read(padded({ units: 1 }), { ...patient, tenant })
    read.push(tenant)
  }
  return { read, send }
}

describe('the intake', () => {
  it.each([MEDIUM, LARGE])(
    'reads a body of %i bytes or more on a thread as it is read on this one',
    async size => {
      // So long that its tokens are handed over instead of copied.
      const long = 'a '.repeat(5_000)
      const question: UnitQuestion = {
        type: 'choice',
        instructions: 'ü',
        options: [
          ['a', long],
          ['b', null],
        ],
      }
      const state = { form: 'json' as const, text: JSON.stringify([long]) }
      const request = { units: [unit({ state, questions: [TEAM, question], reverse: true })] }
      const prepared = preparerFor(setup)
      for (const value of [request, { units: 1 }]) {
        expect(await intake.read(padded(value, size), patient)).toEqual(prepared(bytes(value)))
      }
      expect(faults).toEqual([])
    },
  )

  it('hands a body of more than 4,096 bytes to a thread, and none that is smaller', async () => {
    const bodies = [4_096, MEDIUM].map(size => padded({ units: 1 }, size))
    for (const body of bodies) await intake.read(body, patient)
    // A body that goes to a thread is transferred, which leaves it empty here.
    expect(bodies.map(({ byteLength }) => byteLength)).toEqual([4_096, 0])
  })

  it('does not let a body of up to 65,536 bytes wait for a larger one', async () => {
    const read: string[] = []
    const reads = [manyOptions(), padded({ units: [unit()] }, LARGE - 1)].map(async body => {
      const size = body.byteLength < LARGE ? 'medium' : 'large'
      await intake.read(body, patient)
      read.push(size)
    })
    await Promise.all(reads)
    expect(read).toEqual(['medium', 'large'])
  })

  it('answers each large body to the caller who sent it', async () => {
    const requests = ['a', 'b', 'c'].map(tenant => ({ units: [unit({ tenant })] }))
    const read = await Promise.all(requests.map(request => intake.read(padded(request), patient)))
    expect(read).toMatchObject(['a', 'b', 'c'].map(tenant => ({ units: [{ tenant }] })))
  })

  it('leaves this thread free while it reads the largest body', async () => {
    const body = manyOptions()
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const start = performance.now()
    const read = await intake.read(body, patient)
    const turnsPerSecond = (turns * 1_000) / (performance.now() - start)
    clearInterval(timer)
    expect(read).toHaveProperty('units')
    // Reading it here would take a single turn. On a busy machine there are still tens of turns a second.
    expect(turnsPerSecond).toBeGreaterThan(10)
  })

  it.each([MEDIUM, LARGE])(
    'reads bodies of %i bytes in turns: a tenant with little to read does not wait for all that another has sent',
    async size => {
      const read: string[] = []
      const reads = ['flood', 'flood', 'flood', 'flood', 'other', 'third', 'other'].map((tenant, i) =>
        intake
          .read(padded({ units: [unit({ tenant })] }, size), { ...patient, tenant })
          .then(() => read.push(`${tenant} ${i}`)),
      )
      await Promise.all(reads)
      const turns = ['flood 0', 'other 4', 'third 5', 'flood 1', 'other 6', 'flood 2', 'flood 3']
      expect(read).toEqual(turns)
    },
  )

  it('reads the second body of a tenant although others send one more as soon as theirs is read', async () => {
    const { read, send } = noting()
    const always = async (tenant: string): Promise<void> => {
      while (read.length < 20) await send(tenant)
    }
    const victim = [send('victim'), send('victim')]
    await Promise.all([...victim, always('busy'), always('other')])
    expect(read.slice(0, 6)).toEqual(['victim', 'busy', 'other', 'victim', 'busy', 'other'])
  })

  it('makes nobody wait for a turn that was over before any of this came', async () => {
    const { read, send } = noting()
    await send('earlier')
    await Promise.all(['new', 'earlier', 'newer'].map(send))
    expect(read).toEqual(['earlier', 'new', 'earlier', 'newer'])
  })

  it('ranks all bodies that wait anew only when some of them were dropped', async () => {
    const rank = vi.spyOn(Turns.prototype, 'rank')
    onTestFinished(() => rank.mockRestore())
    const send = (caller = patient) => intake.read(padded({ units: 1 }), caller).catch(() => {})
    await Promise.all(Array.from({ length: 20 }, () => send()))
    expect(rank).not.toHaveBeenCalled()
    const leavers = Array.from({ length: 20 }, leaver)
    const reads = [send(), ...leavers.map(({ caller }) => send(caller)), send(), send()]
    for (const { leave } of leavers) leave()
    await Promise.all(reads)
    expect(rank).toHaveBeenCalledTimes(1)
  })

  it('does not make a tenant wait for the turns of bodies whose callers have left', async () => {
    const { read, send } = noting()
    const busy = send('busy')
    const leavers = Array.from({ length: 30 }, leaver)
    const left = leavers.map(({ caller }) =>
      intake.read(padded({ units: 1 }), { ...caller, tenant: 'left some' }).catch(() => {}),
    )
    const reads = ['left some', 'busy', 'busy', 'left some'].map(send)
    for (const { leave } of leavers) leave()
    await Promise.all([busy, ...left, ...reads])
    expect(read).toEqual(['busy', 'left some', 'busy', 'left some', 'busy'])
  })

  it('drops the bodies of callers as soon as they leave, and reads none of them', async () => {
    let free = false
    const first = intake.read(padded({ units: 1 }), patient).finally(() => {
      free = true
    })
    const leavers = Array.from({ length: 30 }, leaver)
    const bodies = leavers.map(() => padded({ units: 1 }))
    const reads = leavers.map(({ caller }, i) => intake.read(bodies[i] ?? bytes(null), caller))
    const live = intake.read(padded({ units: [unit({ tenant: 'live' })] }), patient)
    for (const { leave } of leavers) leave()
    const late = leaver()
    late.leave()
    bodies.push(padded({ units: 1 }))
    reads.push(intake.read(bodies.at(-1) ?? bytes(null), late.caller))
    // Dropped before the thread had time for anything, because their memory counts as free.
    const gone = { name: 'Interrupted', why: 'cancelled' }
    expect(await Promise.allSettled(reads)).toEqual(
      reads.map(() => ({ status: 'rejected', reason: expect.objectContaining(gone) })),
    )
    expect(free).toBe(false)
    expect(await first).toHaveProperty('error')
    expect(await live).toMatchObject({ units: [{ tenant: 'live' }] })
    // A body that goes to the thread is transferred, which would leave it empty here.
    expect(bodies.map(({ byteLength }) => byteLength > 0)).toEqual(bodies.map(() => true))
  })

  it('fails only the request that cannot be read, and goes on reading', async () => {
    const snapshots = setup.snapshots.map(({ folder, description }) => ({
      folder,
      description: { ...description, temperatures: undefined as never },
    }))
    const broken = openIntake({ ...setup, snapshots }, onFault)
    const reads = [{ units: [unit()] }, { units: 1 }].map(value => broken.read(padded(value), patient))
    expect(await Promise.allSettled(reads)).toMatchObject([
      { status: 'rejected', reason: { name: 'TypeError' } },
      { status: 'fulfilled', value: { error: 'bad_request' } },
    ])
    expect(faults).toEqual([])
    await broken.close()
  })

  it('reports a thread that dies, because nothing can be read any more', async () => {
    const { promise: died, resolve } = Promise.withResolvers<unknown>()
    const [snapshot] = setup.snapshots
    // The thread finds no tokenizer there, as if it had run out of memory.
    const snapshots = snapshot === undefined ? [] : [{ ...snapshot, folder: '/nowhere' }]
    const thread = openReadingThread({ ...setup, snapshots }, resolve)
    expect(await died).toMatchObject({ message: expect.stringContaining('/nowhere') })
    await thread.close()
  })

  it.each([MEDIUM, LARGE])('rejects what it has not read of %i bytes when it closes', async size => {
    const closing = openIntake(setup, onFault)
    const reads = [1, 2].map(() => closing.read(padded({ units: 1 }, size), patient))
    const settled = Promise.allSettled(reads)
    await closing.close()
    const closed = { status: 'rejected', reason: expect.objectContaining({ why: 'closed' }) }
    expect(await settled).toEqual([closed, closed])
  })
})
