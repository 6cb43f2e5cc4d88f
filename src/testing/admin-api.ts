// The admin API as its tests call it, inside workerd.
import { env, exports } from 'cloudflare:workers'
import { hashApiKey } from '../access/api-key.ts'

export const call = async (
  method: string,
  path: string,
  body?: unknown,
  authorization: string | null = `Bearer ${env.ADMIN_SECRET}`,
) => {
  const answer = await exports.default.fetch(`https://decider.test/admin/v1${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared field by field
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as any }
}

export const newAccount = async (): Promise<string> =>
  (await call('POST', '/accounts', { name: 'Ada' })).body.id

/** The entries of a whole list, page by page. */
export const pagesOf = async function* (path: string, limit: number) {
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await call('GET', `${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`)
    yield body.data
    cursor = body.next_cursor
  }
}

/** How the account stands in the list. */
export const entryOf = async (id: string) => {
  for await (const entries of pagesOf('/accounts', 200)) {
    const entry = entries.find((each: { id: string }) => each.id === id)
    if (entry) return entry
  }
  return null
}

export const admit = (key: string, tokens = 10) => env.GATE.getByName(hashApiKey(key)).admit(tokens)
