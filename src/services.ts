import type { Gatekeeper } from './access/admission.ts'
import type { ActivityLog } from './activity/record.ts'
import type { ProfileKeys } from './calibration/profile-keys.ts'
import type { PublicKeySource } from './leaks/github-keys.ts'
import type { Aliases } from './models/aliases.ts'
import type { Scorer, ScorerFault } from './scorer/scorer.ts'

/** All of the outside world the request path knows. */
export type Services = {
  gatekeeper: Gatekeeper
  activity: ActivityLog
  scorer: Scorer
  /** Model names of the operator's own, beside those of the scorer. */
  modelAliases: Aliases
  profileKeys: ProfileKeys
  /** Names an account to the scorer without telling who it is. */
  tenantTag: (accountId: string) => string
  /** Who may report leaked keys. */
  leakReporterKeys: PublicKeySource
  now: () => number
  pause: (ms: number) => Promise<void>
  randomBytes: (count: number) => Uint8Array
  report: (fault: Fault) => void
}

/** What an operator must hear of. Nothing of a request can be put into it. */
export type Fault =
  | { kind: 'scorer'; fault: ScorerFault }
  | { kind: 'unforeseen'; requestId: string; name: string; frames: readonly string[] }
  /** What so many requests used did not reach their Gate. */
  | { kind: 'unsettled'; requests: number }
  /** So many requests did not reach the activity of their account. */
  | { kind: 'unrecorded'; requests: number }
  | { kind: 'shared_limiter'; why: 'timeout' | 'error' }
