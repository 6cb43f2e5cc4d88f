// The wire format of what our own routes answer, apart from decisions.
import * as v from 'valibot'
import { CODES, TYPES } from '../problem.ts'

export const ErrorEnvelope = v.object({
  error: v.object({
    type: v.picklist(TYPES),
    code: v.picklist(CODES),
    message: v.string(),
    param: v.optional(v.string()),
  }),
})

const date = v.pipe(v.string(), v.isoDate())

export const ModelEntry = v.object({
  id: v.string(),
  released: date,
  status: v.string(),
  base: v.string(),
  max_state_tokens: v.pipe(v.number(), v.integer()),
  modalities: v.array(v.string()),
  retire_after: v.nullable(date),
})

export const ModelList = v.object({
  object: v.literal('list'),
  alias: v.map(v.string(), v.string()),
  data: v.array(ModelEntry),
  today: date,
  models: v.array(v.object({ name: v.string(), description: v.string(), release_date: date })),
})

export const Health = v.object({ ok: v.boolean(), region: v.string(), engine: v.string() })
