import { buildApp } from './app.ts'
import type { Services } from './services.ts'
import { servicesFrom } from './wiring.ts'

export { Gate } from './access/gate.ts'
export { Activity } from './activity/activity.ts'
export { Account } from './money/account.ts'
export { Directory } from './money/directory.ts'

/** Wired once per environment: keys stay parsed, and what was heard from the scorer is remembered. */
let wired: { env: Env; services: Services } | null = null

export default buildApp(env => {
  if (wired?.env !== env) wired = { env, services: servicesFrom(env) }
  return wired.services
})
