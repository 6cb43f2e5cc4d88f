import type * as v from 'valibot'
import { call, type Envelope, type Refusal } from '../service/client.ts'
import { fitting } from '../service/fitting.ts'
import { key } from '../shell/session.ts'

/** Why nothing was read, and the code of the refusal if it was one. */
export type Failed = { kind: 'failed'; why: string; code: string | null }

export type Got<T> = { kind: 'got'; value: T; envelope: Envelope } | Failed

/** One read with the key of this tab. */
export const get = async <Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
): Promise<Got<v.InferInput<Schema>>> => {
  const reply = fitting(await call({ path, key: key.peek()?.value ?? '' }), schema)
  if (reply.kind === 'ok') return { ...reply, kind: 'got' }
  return reply.kind === 'refused'
    ? { kind: 'failed', why: sentence(reply.refusal), code: reply.refusal.code }
    : { kind: 'failed', why: 'The service did not answer. Is it running?', code: null }
}

const sentence = ({ message, code }: Refusal): string => `${message} (${code})`
