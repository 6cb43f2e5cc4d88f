import type { Gatekeeper } from './access/admission.ts'
import { gatekeeper } from './access/gatekeeper.ts'
import type { Unknown } from './access/limiter.ts'
import { sharedGatekeeper } from './access/shared-gatekeeper.ts'
import { upstashLimiter } from './access/upstash-limiter.ts'
import { activityLog } from './activity/log.ts'
import { reportFault } from './fault.ts'
import { publishedKeys } from './leaks/github-keys.ts'
import { readAliases } from './models/aliases.ts'
import { platform } from './platform.ts'
import { readProfileKeys } from './profiles/profile-keys.ts'
import { remembering } from './remembering.ts'
import { scorerAt } from './scorer/client.ts'
import { readSigningKey } from './scorer/signature.ts'
import { readTenantSecret, tenantTag } from './scorer/tags.ts'
import type { Services } from './services.ts'

/** How many accounts' tags are kept, at some 200 bytes each. */
const MAX_TAGS = 1_000

/** The platform's own services, as an environment configures them. */
export const servicesFrom = (env: Env): Services => {
  const tenantSecret = readTenantSecret(env.TENANT_SECRET)
  return {
    gatekeeper: gatekeeperFor(env),
    activity: activityLog(env.ACTIVITY, requests => reportFault({ kind: 'unrecorded', requests })),
    scorer: scorerAt({
      url: env.SCORER_URL,
      key: readSigningKey(env.SCORER_SECRET),
      tenantSecret,
      now: platform.now,
      report: (fault, call) => reportFault({ kind: 'scorer', fault, ...call }),
    }),
    modelAliases: readAliases(env.MODEL_ALIASES),
    profileKeys: readProfileKeys(env.PROFILE_KEYS),
    tenantTag: remembering(MAX_TAGS, accountId => tenantTag(accountId, tenantSecret)),
    leakReporterKeys: publishedKeys({
      url: env.SECRET_SCANNING_KEYS_URL,
      token: env.SECRET_SCANNING_KEYS_TOKEN,
      report: status => reportFault({ kind: 'leak_reports', status }),
    }),
    ...platform,
    pause: ms => new Promise(resolve => setTimeout(resolve, ms)),
    report: reportFault,
  }
}

/** Gates alone, or Gates and Upstash together. */
const gatekeeperFor = ({
  GATE,
  UPSTASH_REDIS_REST_URL: url,
  UPSTASH_REDIS_REST_TOKEN: token,
}: Env): Gatekeeper => {
  const own = gatekeeper({
    gates: GATE,
    reportLost: requests => reportFault({ kind: 'unsettled', requests }),
    reportOverloaded: () => reportFault({ kind: 'gate_overloaded' }),
  })
  if (!url || !token) return own
  const report = (why: Unknown['why']) => reportFault({ kind: 'shared_limiter', why })
  return sharedGatekeeper({ own, shared: upstashLimiter({ url, token }), report })
}
