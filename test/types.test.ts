// The types in examples/, compiled as their users compile them, against answers of the running service.
import { describe, expect, inject, it } from 'vitest'
import { complaintsAbout } from './project.ts'

const complaints = (program: string) =>
  complaintsAbout([program], 'examples/decider.d.ts', 'examples/typesafe.d.ts')

const REQUEST = {
  state: 'You charged my card twice.',
  questions: {
    team: { type: 'choice', criteria: { billing: null, technical: null } },
    refund: { type: 'noul', instructions: 'The customer wants a refund' },
    mood: { type: 'score', criteria: ['calm', 'annoyed', 'furious'] },
  },
  unknown: 'so that the answer holds a warning',
}

/** The answer as source code: the compiler objects to a field of a literal that is missing or not described. */
const answered = async (path: string): Promise<string> => {
  const { url, keys } = inject('service')
  const headers = { authorization: `Bearer ${keys.standard}` }
  const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(REQUEST) })
  return response.text()
}

describe('examples/decider.d.ts', () => {
  it('describes every field of an answer', async () => {
    const types = `{ team: 'choice'; refund: 'noul'; mood: 'score' }`
    const program = `
      import type { Decision } from './decider.d.ts'
      export const answer: Required<Decision<${types}>> = ${await answered('/v1/decisions')}
      answer.answers.team.choice
      // @ts-expect-error
      answer.answers.refund.choice`
    expect(await complaints(program)).toBe('')
  })
})

describe('examples/typesafe.d.ts', () => {
  it('describes every field of an answer', async () => {
    const program = `
      import type { ChoiceQuestion, NoulQuestion, ScoreQuestion, SystemOneResult } from '@typesafe-ai/sdk'
      type Questions = {
        team: ChoiceQuestion<{ billing: null; technical: null }>
        refund: NoulQuestion
        mood: ScoreQuestion<['calm', 'annoyed', 'furious']>
      }
      export const result: Required<SystemOneResult<Questions>> = ${await answered('/v1/systemone')}`
    expect(await complaints(program)).toBe('')
  })

  it('lets our fields through in a request, but not misspelt', async () => {
    const program = `
      import { noul, TypeSafeClient } from '@typesafe-ai/sdk'
      const request = { state: 'x', questions: { q: noul('?') } }
      const client = new TypeSafeClient()
      await client.systemOne({ ...request, x_calibration: 'calp1.k.b', x_order_invariant: true })
      // @ts-expect-error
      await client.systemOne({ ...request, x_calibraton: 'calp1.k.b' })`
    expect(await complaints(program)).toBe('')
  })
})
