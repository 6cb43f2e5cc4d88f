import { join } from 'node:path'
import * as v from 'valibot'
import { connect } from '../decider/client.ts'
import { readPrivate, writePrivate } from './secrets.ts'

const DemoKeys = v.object({ account: v.string(), standard: v.string(), playground: v.string() })
export type DemoKeys = v.InferOutput<typeof DemoKeys>

const RELOAD = { threshold_usd: '1.00', amount_usd: '1000.00' }

/** The keys of the demo account, if an earlier start created it. */
export const keptDemoKeys = (dataDir: string): Promise<DemoKeys | null> =>
  readPrivate(join(dataDir, 'demo.json'), DemoKeys)

/** Whether both keys still work: the state may be gone, or a key revoked. The check leaves no row in the activity. */
export const demoKeysHold = async (url: string, { standard, playground }: DemoKeys): Promise<boolean> => {
  const look = async (key: string): Promise<number> =>
    (await fetch(`${url}/v1/account`, { headers: { authorization: `Bearer ${key}` } })).status
  return !(await Promise.all([look(standard), look(playground)])).includes(401)
}

/**
 * Creates a verified account (so it has the starter credit) with one key of each kind. Payments are simulated here: the
 * account reloads when the credit is used up. Otherwise its keys would answer 402 from then on, at every start.
 */
export const createDemoAccount = async (
  url: string,
  adminSecret: string,
  dataDir: string,
): Promise<DemoKeys> => {
  const admin = await connect({ DECIDER_ADMIN_SECRET: adminSecret }, url)
  const { id: account } = await admin.call('POST', '/accounts', { name: 'Demo' })
  await admin.call('POST', `/accounts/${account}/verify`, {})
  await admin.call('PUT', `/accounts/${account}/auto-reload`, RELOAD)
  const standard = await admin.call('POST', `/accounts/${account}/keys`, { kind: 'standard', name: 'demo' })
  const playground = await admin.call('POST', `/accounts/${account}/keys`, {
    kind: 'playground',
    name: 'demo playground',
  })
  const keys = { account, standard: standard.key, playground: playground.key }
  await writePrivate(join(dataDir, 'demo.json'), `${JSON.stringify(keys, null, 2)}\n`)
  return keys
}
