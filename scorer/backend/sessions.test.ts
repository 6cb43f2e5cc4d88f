import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { SNAPSHOT_FOLDER } from '../testing/snapshot.ts'
import { PLACES, pieceOfBlocks, runOf } from './pieces.ts'
import { openPool, type Pool } from './pool.ts'
import type { Shape } from './steps.ts'

const TOKENS = 200
const zeros = (count: number) => new Uint16Array(new SharedArrayBuffer(2 * count))
const block = (first: number, length: number) => ({
  ids: Int32Array.from({ length }, (_, i) => first + 7 * i),
  place: PLACES.option,
})

let shape: Shape
let pool: Pool
beforeAll(async () => {
  const { shape: described } = JSON.parse(await readFile(join(SNAPSHOT_FOLDER, 'snapshot.json'), 'utf8'))
  shape = { ...described, headWidth: described.head_width, firstSide: described.first_side }
  pool = await openPool(
    { folder: SNAPSHOT_FOLDER, shape, provider: 'cpu', threads: 1 },
    { workers: 1, snapshot: '', onFault: () => {} },
  )
})
afterAll(() => pool.close())

// A product with a single row may be computed differently.
it('a row of an option is encoded and compared to the same bits alone as with others', async () => {
  const { layers, heads, headWidth, width } = shape
  const numbers = TOKENS * layers * heads * headWidth
  const instruction = { tokens: TOKENS, keys: zeros(numbers), values: zeros(numbers) }
  const told = runOf([pieceOfBlocks([block(2_000, TOKENS)])])
  await pool.run({ kind: 'apart', run: told, keep: { at: 0, into: instruction } })
  const state = {
    tokens: 256,
    rows: zeros(256 * width),
    mean: new Float32Array(new SharedArrayBuffer(4 * width)),
  }
  const { ids } = block(9_000, 256)
  await pool.run({ kind: 'state', ids, blocks: 1, at: 0, into: state })

  for (const first of [1_500, 2_500, 3_500, 4_500]) {
    const encoded = async (...blocks: ReturnType<typeof block>[]) => {
      const rows = await pool.run({ kind: 'apart', run: runOf([pieceOfBlocks(blocks)]), instruction })
      return { rows, one: rows.slice(0, width) }
    }
    const alone = await encoded(block(first, 1))
    const among = await encoded(block(first, 1), block(5_000, 60))
    expect(alone.rows).toEqual(among.one)

    const compared = (rows: Float32Array, ...lengths: number[]) => {
      const segments = lengths.map((length, option) => ({ question: 0, option, length }))
      return pool.run({ kind: 'compare', rows, segments, state, focus: [] })
    }
    const [own, shared] = [await compared(among.one, 1), await compared(among.rows, 1, 60)]
    expect(own.found).toEqual(shared.found.subarray(0, width))
  }
})
