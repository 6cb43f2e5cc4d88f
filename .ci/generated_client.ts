// Asks with the types that openapi-typescript makes of /openapi.json.
import createClient from 'openapi-fetch'
import type { paths } from './api.d.ts'

const client = createClient<paths>({
  baseUrl: process.env.DECIDER_URL ?? '',
  headers: { authorization: `Bearer ${process.env.DECIDER_API_KEY}` },
})
const { data, error } = await client.POST('/v1/decisions', {
  body: {
    state: { ticket: { subject: 'Charged twice', lines: [1, 2] } },
    questions: {
      refund: { type: 'noul', instructions: 'The customer wants a refund' },
      late: { type: 'noul', instructions: { what: 'delay' }, criteria: { true: 'it is late' } },
      team: {
        type: 'choice',
        criteria: { billing: { what: 'payments', examples: ['invoice'] }, sales: null },
      },
      mood: { type: 'score', instructions: null, criteria: ['calm', { what: 'angry' }] },
    },
  },
})
if (error !== undefined) throw new Error(error.error.message)
const { refund, team } = data.answers
if (refund?.type !== 'noul' || team?.type !== 'choice')
  throw new Error('an answer is not of its question’s type')
const [noul, choice]: [number, string] = [refund.noul, team.choice]

const ofOpenAI = await client.POST('/openai/v1/decisions', {
  body: {
    input: [{ role: 'user', content: [{ type: 'input_json', data: { subject: 'Charged twice' } }] }],
    questions: [{ type: 'predicate', instructions: 'The customer wants a refund' }],
  },
})
const ofSystemOne = await client.POST('/v1/systemone', {
  body: { state: ['Charged twice'], questions: { refund: { type: 'noul' } } },
})
if (ofOpenAI.error !== undefined || ofSystemOne.error !== undefined) throw new Error('refused')

const refused = await client.POST('/v1/decisions', { body: { state: '', questions: {} } })
if (refused.error?.error.code !== 'invalid_schema') throw new Error('no refusal')
console.log(`The client that openapi-typescript types hears: ${noul.toFixed(3)}, ${choice}`)
