import type * as v from 'valibot'
import { call, type Envelope, type Refusal } from '../service/client.ts'
import { fitting } from '../service/fitting.ts'
import { key } from '../shell/session.ts'

export type Got<T> = { kind: 'got'; value: T; envelope: Envelope } | { kind: 'failed'; why: string }

/** One read with the key of this tab. */
export const get = async <Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
): Promise<Got<v.InferInput<Schema>>> => {
  const reply = fitting(await call({ path, key: key.peek()?.value ?? '' }), schema)
  if (reply.kind === 'ok') return { ...reply, kind: 'got' }
  return {
    kind: 'failed',
    why: reply.kind === 'refused' ? sentence(reply.refusal) : 'The service did not answer. Is it running?',
  }
}

const sentence = ({ message, code }: Refusal): string => `${message} (${code})`
