import { call, type Refusal, type Reply } from '../service/client.ts'
import { key } from '../shell/session.ts'

export type Got<T> = { kind: 'got'; value: T } | { kind: 'failed'; why: string }

/** One read with the key of this tab. */
export const get = async <T>(path: string, read: (reply: Reply & { kind: 'ok' }) => T): Promise<Got<T>> => {
  const reply = await call({ path, key: key.peek()?.value ?? '' })
  if (reply.kind === 'ok') return { kind: 'got', value: read(reply) }
  return {
    kind: 'failed',
    why: reply.kind === 'refused' ? sentence(reply.refusal) : 'The service did not answer.',
  }
}

const sentence = ({ message, code }: Refusal): string => `${message} (${code})`
