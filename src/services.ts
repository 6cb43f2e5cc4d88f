import type { Gatekeeper } from './access/admission.ts'
import type { ActivityLog } from './activity/record.ts'
import type { Fault } from './fault.ts'
import type { PublicKeySource } from './leaks/github-keys.ts'
import type { Aliases } from './models/aliases.ts'
import type { ProfileKeys } from './profiles/profile-keys.ts'
import type { Scorer } from './scorer/scorer.ts'

/** All that the request path knows of the outside world. */
export type Services = {
  gatekeeper: Gatekeeper
  activity: ActivityLog
  scorer: Scorer
  /** The operator's own model names, in addition to those of the scorer. */
  modelAliases: Aliases
  profileKeys: ProfileKeys
  /** Identifies an account to the scorer without revealing who it is. */
  tenantTag: (accountId: string) => string
  /** Who may report leaked keys. */
  leakReporterKeys: PublicKeySource
  now: () => number
  pause: (ms: number) => Promise<void>
  randomBytes: (count: number) => Uint8Array
  report: (fault: Fault) => void
}
