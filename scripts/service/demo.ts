import { join } from 'node:path'
import { readPrivate, writePrivate } from './secrets.ts'

export type DemoKeys = { account: string; standard: string; playground: string }

/** The keys of the demo account, if a former start has made it. */
export const keptDemoKeys = (dataDir: string): Promise<DemoKeys | null> =>
  readPrivate(join(dataDir, 'demo.json'))

/** Whether the service still knows them: its state may be gone, or one was revoked. Looking leaves no row of activity. */
export const demoKeysHold = async (url: string, { standard, playground }: DemoKeys): Promise<boolean> => {
  const look = async (key: string): Promise<number> =>
    (await fetch(`${url}/v1/account`, { headers: { authorization: `Bearer ${key}` } })).status
  return !(await Promise.all([look(standard), look(playground)])).includes(401)
}

/** Makes a verified account (so it holds the starter credit) with one key of each kind. */
export const createDemoAccount = async (
  url: string,
  adminSecret: string,
  dataDir: string,
): Promise<DemoKeys> => {
  const post = async (path: string, body: object): Promise<Record<string, string>> => {
    const answer = await fetch(`${url}/admin/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminSecret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok)
      throw new Error(`The demo account could not be made: POST /admin/v1${path} answered ${answer.status}.`)
    return (await answer.json()) as Record<string, string>
  }
  const { id: account } = await post('/accounts', { name: 'Demo' })
  await post(`/accounts/${account}/verify`, {})
  const standard = await post(`/accounts/${account}/keys`, { kind: 'standard', name: 'demo' })
  const playground = await post(`/accounts/${account}/keys`, { kind: 'playground', name: 'demo playground' })
  const keys = { account: account ?? '', standard: standard.key ?? '', playground: playground.key ?? '' }
  await writePrivate(join(dataDir, 'demo.json'), `${JSON.stringify(keys, null, 2)}\n`)
  return keys
}
