import type { Finding } from '../../src/admin/finding.ts'
import { connect } from '../decider/client.ts'

/** Which secrets and variables the Worker cannot use, and why. */
export const malformedSettings = async (url: string, adminSecret: string): Promise<string[]> => {
  const admin = await connect({ DECIDER_ADMIN_SECRET: adminSecret }, url)
  const { data }: { data: Finding[] } = await admin.call('GET', '/doctor')
  return data
    .filter(({ check, ok }) => !ok && /^(secret|variable) /.test(check))
    .map(({ check, detail }) => `${check} ${detail}`)
}
