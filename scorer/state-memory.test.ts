import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Backend, MAX_INSTRUCTION_TOKENS } from './backend/backend.ts'
import { instructionBytesOf } from './backend/open.ts'
import { createMemoryPool } from './core/memory/memory-pool.ts'
import { loadSnapshots } from './core/snapshot/load.ts'
import { instructionMemory } from './instruction-memory.ts'
import { StartError } from './start-error.ts'
import { stateMemory } from './state-memory.ts'
import { MODELS_FOLDER, SNAPSHOT_FOLDER } from './testing/snapshot.ts'

const MIB = 1024 ** 2
const snapshots = await loadSnapshots(MODELS_FOLDER)

describe('the memory left for states', () => {
  const backend = { stateBytes: (tokens: number) => tokens * 768 } as Backend
  const backends = new Map(snapshots.map(({ description }) => [description.id, backend]))
  const left = ({ memoryBytes = 4_096 * MIB, residentBytes = 300 * MIB, times = 1 } = {}) =>
    stateMemory(
      { memoryBytes, questionBytes: 64 * MIB, workers: 2 },
      324 * MIB,
      Array(times).fill(snapshots.slice(0, 1)).flat(),
      backends,
      residentBytes,
    )
  /** What else takes memory: the process as it starts, questions, instructions, requests, and each worker's runs. */
  const TAKEN = (300 + 64 + 324 + 256 + 2 * 448) * MIB
  const LONGEST = (65_536 + 4) * 768

  it('is what everything else leaves, and each snapshot has workers of its own', () => {
    expect(left()).toBe(4_096 * MIB - TAKEN)
    expect(left({ times: 2 })).toBe(4_096 * MIB - TAKEN - 2 * 448 * MIB)
  })

  it('is refused as too little if the longest state does not fit', () => {
    expect(left({ memoryBytes: TAKEN + LONGEST })).toBe(LONGEST)
    expect(() => left({ memoryBytes: TAKEN + LONGEST - 1 })).toThrow(StartError)
  })

  it('has room for the longest state of every snapshot', () => {
    const [small] = snapshots
    if (small === undefined) throw new Error('no snapshot')
    const large = { ...small, description: { ...small.description, id: 'large' } }
    const double = { stateBytes: (tokens: number) => 2 * tokens * 768 } as Backend
    const both = new Map([...backends, ['large', double]])
    const leftOf = (memoryBytes: number) =>
      stateMemory({ memoryBytes, questionBytes: 0, workers: 0 }, 0, [small, large, small], both, 0)
    const taken = 256 * MIB
    expect(leftOf(taken + 2 * LONGEST)).toBe(2 * LONGEST)
    expect(() => leftOf(taken + 2 * LONGEST - 1)).toThrow(StartError)
  })

  it('is enough with the minimum that an error named, even if the next start takes more', () => {
    const told = (memoryBytes: number) => {
      try {
        left({ memoryBytes })
      } catch (refusal) {
        return Number(/must be at least (\d+) /.exec(String(refusal))?.[1])
      }
    }
    const memoryBytes = told(1_024 * MIB)
    expect(left({ memoryBytes, residentBytes: 360 * MIB })).toBeGreaterThan(0)
  })
})

describe('the memory for instructions', () => {
  it('holds two of the longest instructions and a batch of short ones at once, and no more', async () => {
    const batchTokens = 4_096
    const scratch = createMemoryPool(await instructionMemory({ batchTokens }, snapshots), setImmediate)
    const take = async (tokens: number) => scratch.take(await instructionBytesOf(SNAPSHOT_FOLDER, tokens))
    for (const tokens of [MAX_INSTRUCTION_TOKENS, batchTokens / 2, MAX_INSTRUCTION_TOKENS, batchTokens / 2]) {
      expect(await take(tokens)).not.toBeNull()
    }
    expect(await take(1)).toBeNull()
  })

  it('is what the snapshot with the largest instructions needs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'scorer-shape-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const description = JSON.parse(await readFile(join(SNAPSHOT_FOLDER, 'snapshot.json'), 'utf8'))
    const { shape } = description
    const deeper = { ...description, shape: { ...shape, layers: 2 * shape.layers } }
    await writeFile(join(folder, 'snapshot.json'), JSON.stringify(deeper))
    const both = [...snapshots, ...snapshots.map(one => ({ ...one, folder })), ...snapshots]
    const batchTokens = 4_096
    expect(await instructionMemory({ batchTokens }, both)).toBe(
      2 * (await instructionMemory({ batchTokens }, snapshots)),
    )
  })

  it('does not grow without limit with the batch', async () => {
    const ofBatch = (batchTokens: number) => instructionMemory({ batchTokens }, snapshots)
    expect(await ofBatch(1_000_000)).toBe(await ofBatch(MAX_INSTRUCTION_TOKENS))
  })
})
