import fc from 'fast-check'
import { expect, it } from 'vitest'
import { patient } from '../testing/engine.ts'
import { BLOCK } from './pieces.ts'
import type { Pool } from './pool.ts'
import { encodeState, stateBytes } from './states.ts'
import type { Step } from './steps.ts'

const shape = { layers: 1, heads: 1, headWidth: 2, width: 2, firstSide: 6 }
const MOST_SHARED = 128

/** The steps in which a state of so many tokens is encoded. */
const stepsOf = async (tokens: number): Promise<Step[]> => {
  const steps: Step[] = []
  const run = async (step: Step) => {
    steps.push(step)
    return new Float32Array(shape.width * (step.kind === 'state' ? step.blocks : tokens))
  }
  const pool = { workers: 2, run } as unknown as Pool
  const ids = Int32Array.from({ length: tokens }, (_, i) => i)
  const memory = new Uint8Array(new SharedArrayBuffer(stateBytes(tokens, shape)))
  await encodeState(pool, shape, ids, patient, memory)
  return steps
}

it('a state of up to 128 tokens is one piece, which shares runs with others', async () => {
  for (const tokens of [4, MOST_SHARED]) expect(await stepsOf(tokens)).toMatchObject([{ kind: 'piece' }])
})

it('a longer state is encoded in steps of two blocks at most, so that a small request waits for no more, each token once and in its place', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: MOST_SHARED + 1, max: 5_000 }), async tokens => {
      let encoded = 0
      for (const step of await stepsOf(tokens)) {
        if (step.kind !== 'state') throw new Error(step.kind)
        expect(step.blocks).toBeLessThanOrEqual(2)
        expect(step.ids.length).toBeLessThanOrEqual(step.blocks * BLOCK)
        // Blocks of one step are equally long.
        if (step.blocks > 1) expect(step.ids).toHaveLength(step.blocks * BLOCK)
        expect([step.at, step.ids[0], step.ids.at(-1)]).toEqual([
          encoded,
          encoded,
          encoded + step.ids.length - 1,
        ])
        encoded += step.ids.length
      }
      expect(encoded).toBe(tokens)
    }),
    { examples: [[MOST_SHARED + 1], [BLOCK], [BLOCK + 1], [2 * BLOCK], [3 * BLOCK + 1]] },
  )
})
