// Apart from the client, so that the playground does not load what checks schemas.
import * as v from 'valibot'
import { type Envelope, type Reply, refusalOf } from './client.ts'

/** A reply whose body has this form. A body of any other form is told as one that is not JSON. */
export const fitting = <Schema extends v.GenericSchema>(reply: Reply, schema: Schema): Fitting<Schema> => {
  if (reply.kind !== 'ok') return reply
  const { text, envelope } = reply
  const value: unknown = JSON.parse(text)
  return v.is(schema, value)
    ? { kind: 'ok', value, envelope }
    : { kind: 'refused', refusal: refusalOf(200, null), envelope }
}

type Fitting<Schema extends v.GenericSchema> =
  | { kind: 'ok'; value: v.InferInput<Schema>; envelope: Envelope }
  | Exclude<Reply, { kind: 'ok' }>
