// Apart from the client, so that the playground does not load what checks schemas.
import * as v from 'valibot'
import { type Envelope, type Failed, type Reply, refusalOf } from './client.ts'

/** A reply whose body has this form. After a release, an open tab may know other forms than the service. */
export const fitting = <Schema extends v.GenericSchema>(reply: Reply, schema: Schema): Fitting<Schema> => {
  if (reply.kind !== 'ok') return reply
  const { text, envelope } = reply
  const value: unknown = JSON.parse(text)
  return v.is(schema, value)
    ? { kind: 'ok', value, envelope }
    : {
        kind: 'refused',
        refusal: { ...refusalOf(200, null, envelope.requestId), message: OTHER_FORM },
        envelope,
      }
}

const OTHER_FORM = 'The service answered in a form that this page does not know. Reload the page.'

export type Fitting<Schema extends v.GenericSchema> =
  | { kind: 'ok'; value: v.InferInput<Schema>; envelope: Envelope }
  | Failed
