import { cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { forgetful, openEngine, patient, type TestEngine } from '../testing/engine.ts'
import { SNAPSHOT_FOLDER } from '../testing/snapshot.ts'
import { type EncodedState, Interrupted, type KnownRows, type TokenisedQuestion } from './backend.ts'

/** Words from a seed: their meaning does not matter here, only that they differ. */
const words = (seed: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => 1000 + ((seed * 7919 + i * 104_729 + i * i * 31) % 20_000))

const question = (
  seed: number,
  { instruction = 12, options = [3, 7, 1, 5], included = false, focus = [] as [number, number][] } = {},
): TokenisedQuestion => ({
  key: '',
  instruction: Int32Array.from([1, ...words(seed, instruction), 4, 5]),
  options: options.map((length, o) => Int32Array.from([6, ...words(seed * 31 + o, length), 8])),
  optionInstructionIncluded: options.map((_, o) => included && o === 0),
  focus,
  scale: 0.8,
})

const reversed = (asked: TokenisedQuestion): TokenisedQuestion => ({
  ...asked,
  options: asked.options.toReversed(),
  optionInstructionIncluded: asked.optionInstructionIncluded.toReversed(),
})

const short = question(1)
const truthful = question(2, { options: [4, 6], included: true })
const middling = question(3, { instruction: 40, options: [12, 9, 14] })
const focused = question(4, {
  focus: [
    [5, 30],
    [290, 300],
  ],
})
/** Begins at the same places, and would be compared together with the one before it if only these were looked at. */
const narrower = question(8, {
  focus: [
    [5, 12],
    [290, 291],
  ],
})
/** Ends where the one before it ends. */
const inner = question(10, {
  focus: [
    [8, 12],
    [289, 291],
  ],
})
const many = question(5, { options: Array.from({ length: 60 }, (_, i) => 1 + (i % 11)) })
const wordy = question(6, { instruction: 300, options: [5, 280, 9], included: true })
const all = [short, truthful, middling, focused, narrower, inner, many, wordy]

let backend: TestEngine
let state: EncodedState
const ids = Int32Array.from([101, 13, ...words(9, 313), 102, 14])

beforeAll(async () => {
  backend = await openEngine()
  state = await backend.encodeState(ids, patient)
})

afterAll(() => backend.close())

const readFrom = (
  one: EncodedState,
  questions: readonly TokenisedQuestion[],
  { known = forgetful, waiter = patient } = {},
) => backend.readQuestions(Promise.resolve(one), questions, waiter, known)
const read = (...questions: TokenisedQuestion[]) => readFrom(state, questions)

describe('a question', () => {
  it('has the same logits, bit for bit, alone, with others and in another order', async () => {
    const together = await read(...all)
    expect(await read(...all.toReversed())).toEqual(together.toReversed())
    for (const [i, asked] of all.entries()) expect(await read(asked)).toEqual([together[i]])
  })

  it('has exactly the reversed logits when its options are reversed', async () => {
    const straight = await read(...all)
    const turned = await read(...all.map(reversed))
    expect(turned.map(logits => logits.toReversed())).toEqual(straight)
  })

  it('has the same logits in any order of its options, also if one row of an option is left over for a run of its own', async () => {
    const asked = question(19, { instruction: 197, options: [55, 55, 255, 255] })
    const order = [2, 0, 3, 1]
    const other = { ...asked, options: order.map(o => asked.options[o] ?? new Int32Array()) }
    const [[logits], [moved]] = [await read(asked), await read(other)]
    expect(moved).toEqual(Float32Array.from(order, o => logits?.[o] ?? Number.NaN))
  })

  it('gives each option the same logit as when that option is asked with only one other', async () => {
    const [logits = new Float32Array()] = await read(many)
    for (const o of [0, 17, 59]) {
      const options = [many.options[o] ?? new Int32Array(), new Int32Array([6, 8])]
      const [pair] = await read({ ...many, options, optionInstructionIncluded: [false, false] })
      expect(pair?.[0]).toBe(logits[o])
    }
  })

  it('has one logit when it has one option, the same that the option has among others', async () => {
    const single = { ...many, options: many.options.slice(0, 1), optionInstructionIncluded: [false] }
    const [logits] = await read(many)
    expect(await read(single)).toEqual([logits?.slice(0, 1)])
  })

  it('has the same logits when its rows are known, is encoded once for everyone who asks it, and counts in full', async () => {
    const rows = new Map<string, Promise<Float32Array>>()
    const kept: number[] = []
    const known: KnownRows = {
      get: question => rows.get(question),
      keep: (question, _, bytes, read) => {
        rows.set(question, read)
        kept.push(bytes)
      },
    }
    const named = [short, middling, truthful, { ...short, focus: focused.focus }].map(asked => ({
      ...asked,
      key: `${asked.instruction}`,
    }))
    const first = await Promise.all(named.map(asked => readFrom(state, [asked], { known })))
    expect(rows.size).toBe(3)
    const encoded = await Promise.all(rows.values())
    expect(kept).toEqual(encoded.map(({ byteLength }) => byteLength))
    const again = await readFrom(state, named, { known })
    expect([first.flat(), again]).toEqual([await read(...named), await read(...named)])
  })

  it('has the same logits, and is encoded once for all states, if it has too many options for one run', async () => {
    const rows = new Map<string, Promise<Float32Array>>()
    const found: string[] = []
    const known: KnownRows = {
      get: (...piece) => {
        const key = piece.join(' ')
        if (rows.has(key)) found.push(key)
        return rows.get(key)
      },
      keep: (question, piece, _, read) => rows.set(`${question} ${piece}`, read),
    }
    const others = [{ options: Array(40).fill(11) }, { options: [130, 130] }].map(of => question(7, of))
    const named = [many, ...others].map((asked, n) => ({ ...asked, key: `${n}` }))
    const later = await backend.encodeState(ids.subarray(0, 40), patient)
    for (const one of [state, later]) {
      const there = [...rows.keys()]
      found.length = 0
      expect(await readFrom(one, named, { known })).toEqual(await readFrom(one, named))
      expect(found).toEqual(there)
    }
    expect(rows.size).toBe(7)
  })

  it('is encoded again if an earlier attempt failed', async () => {
    const known: KnownRows = { get: () => Promise.reject(new Interrupted('deadline')), keep: () => {} }
    expect(await readFrom(state, [short, middling], { known })).toEqual(await read(short, middling))
  })

  it('has finite logits that change with its focus and in proportion to its scale', async () => {
    const [plain, pointed] = await read({ ...focused, focus: [] }, focused)
    expect(pointed).not.toEqual(plain)
    const [doubled] = await read({ ...short, scale: 1.6 })
    const [once] = await read(short)
    expect(doubled?.[0]).toBeCloseTo(2 * (once?.[0] ?? Number.NaN), 4)
    for (const logits of await read(...all)) expect(logits.every(Number.isFinite)).toBe(true)
  })
})

describe('a state', () => {
  it('is encoded to the same bits every time, so that cold and cached answers are equal', async () => {
    const again = await backend.encodeState(ids, patient)
    expect(again.rows).toEqual(state.rows)
    expect(again.mean).toEqual(state.mean)
    expect(await readFrom(again, [short])).toEqual(await read(short))
  })

  it('occupies as much memory as `stateBytes` says', () => {
    const { rows, mean } = state
    expect(rows.byteLength + mean.byteLength).toBe(backend.stateBytes(ids.length))
  })
})

describe('a job', () => {
  it('ends when nobody waits for it any more', async () => {
    const gone = { gone: () => true }
    await expect(backend.encodeState(ids, gone)).rejects.toEqual(new Interrupted('cancelled'))
    let asked = 0
    const leaving = { gone: () => ++asked > 2 }
    const long = question(7, { options: Array.from({ length: 200 }, () => 20) })
    await expect(readFrom(state, [long], { waiter: leaving })).rejects.toEqual(new Interrupted('cancelled'))
    expect(asked).toBe(3)
  })
})

describe('a state that cannot be encoded', () => {
  it('fails its questions, and does no harm if they have already failed', async () => {
    const failed = Promise.reject<EncodedState>(new Interrupted('deadline'))
    await expect(backend.readQuestions(failed, [short], patient, forgetful)).rejects.toEqual(
      new Interrupted('deadline'),
    )
    const { promise, reject } = Promise.withResolvers<EncodedState>()
    const gone = { gone: () => true }
    await expect(backend.readQuestions(promise, [short], gone, forgetful)).rejects.toEqual(
      new Interrupted('cancelled'),
    )
    reject(new Interrupted('cancelled'))
  })
})

describe('a run that the engine refuses', () => {
  it('fails its job, without repeating what it was given, and no other', async () => {
    const unknown = 1_234_567
    const failed = [
      read({ ...short, instruction: short.instruction.with(1, unknown) }),
      backend.encodeState(ids.with(20, unknown), patient),
    ]
    const why = { status: 'rejected', reason: expect.objectContaining({ message: 'a run failed' }) }
    expect(await Promise.allSettled(failed)).toEqual([why, why])
    expect(await read(short)).toHaveLength(1)
  })
})

const GRAPHS = ['state', 'question', 'wide', 'compare', 'readout']

/** The shipped snapshot with some of its graphs in the place of others. */
const snapshotWith = async (graphs: Record<string, string>): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'decider-snapshot-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await cp(SNAPSHOT_FOLDER, folder, { recursive: true })
  for (const [name, other] of Object.entries(graphs))
    await rename(join(folder, `${other}.onnx`), join(folder, `${name}.onnx`))
  return folder
}

describe('the graphs for a GPU', () => {
  it('hold no products that only a CPU can do, and have nearly the same logits', async () => {
    const bytes = await Promise.all(
      GRAPHS.map(name => readFile(join(SNAPSHOT_FOLDER, `${name}.gpu.onnx`), 'latin1')),
    )
    for (const graph of bytes) expect(graph).not.toMatch(/MatMulInteger|QuantizeLinear/)
    const other = await openEngine(
      {},
      await snapshotWith(Object.fromEntries(GRAPHS.map(name => [name, `${name}.gpu`]))),
    )
    onTestFinished(() => other.close())
    const seen = other.encodeState(ids, patient)
    const logits = await other.readQuestions(seen, all, patient, forgetful)
    for (const [i, expected] of (await read(...all)).entries()) {
      const gaps = expected.map((logit, option) => Math.abs(logit - (logits[i]?.[option] ?? Infinity)))
      expect(Math.max(...gaps)).toBeLessThan(0.5)
    }
  })
})

describe('openBackend', () => {
  it('refuses work once closed', async () => {
    const other = await openEngine()
    await other.close()
    await expect(other.encodeState(ids, patient)).rejects.toEqual(new Interrupted('closed'))
  })

  it.each(GRAPHS)('refuses a snapshot whose graph %s loads but cannot be run', async name => {
    const folder = await snapshotWith({ [name]: name === 'readout' ? 'compare.gpu' : 'readout.gpu' })
    await expect(openEngine({}, folder)).rejects.toThrow(/invalid|missing in 'feeds'/)
  })
})
