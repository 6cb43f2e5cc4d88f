import type * as v from 'valibot'
import { call, type Envelope, type Refusal } from '../service/client.ts'
import { fitting } from '../service/fitting.ts'
import { key } from '../shell/session.ts'

/** Nothing was read: it was refused, or nothing answered. */
export type Failed = { kind: 'failed'; refused: Refusal | null }

export type Got<T> = { kind: 'got'; value: T; envelope: Envelope } | Failed

/** One read with the key of this tab. */
export const get = async <Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
): Promise<Got<v.InferInput<Schema>>> => {
  const reply = fitting(await call({ path, key: key.peek()?.value ?? '' }), schema)
  if (reply.kind === 'ok') return { ...reply, kind: 'got' }
  return { kind: 'failed', refused: reply.kind === 'refused' ? reply.refusal : null }
}
