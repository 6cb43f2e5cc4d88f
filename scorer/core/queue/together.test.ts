import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Held } from '../held.ts'
import { type Costing, type SharedState, Together } from './together.ts'

const costing = fc.record({
  key: fc.constantFrom('a', 'b', 'c', 'd'),
  own: fc.nat(100),
  encodes: fc.boolean(),
})

it('the cost of tasks together has each state that they encode once, in whatever order they come', () => {
  fc.assert(
    fc.property(fc.array(costing, { maxLength: 100, size: 'max' }), fc.nat(100), (given, before) => {
      const states = new Held<SharedState>()
      const tasks = given.map(({ key, own, encodes }): Costing => {
        const state = states.hold(key, () => ({ tokens: 1_000, sum: null }))
        return { state, encodes, cost: own + (encodes ? state.tokens : 0) }
      })
      // An earlier sum over some of them changes nothing.
      const earlier = new Together()
      for (const task of tasks.slice(0, before)) earlier.add(task)
      const together = new Together()
      for (const task of tasks) together.add(task)

      const own = given.reduce((sum, one) => sum + one.own, 0)
      const encoded = new Set(given.filter(({ encodes }) => encodes).map(({ key }) => key))
      expect(together.cost).toBe(own + 1_000 * encoded.size)
    }),
  )
})
