import { gatekeeperFor } from './access/gatekeeper.ts'
import { activityLog } from './activity/log.ts'
import { readProfileKeys } from './calibration/profile-keys.ts'
import { reportFault } from './http/fault-log.ts'
import { publishedKeys } from './leaks/github-keys.ts'
import { readAliases } from './models/models.ts'
import { scorerAt } from './scorer/client.ts'
import { readSigningKey } from './scorer/signature.ts'
import { tenantTag } from './scorer/tags.ts'
import type { Services } from './services.ts'

/** The platform's own services, as an environment configures them. */
export const servicesFrom = (env: Env): Services => {
  const now = Date.now
  return {
    gatekeeper: gatekeeperFor(env, why => reportFault({ kind: 'shared_limiter', why })),
    activity: activityLog(env.ACTIVITY),
    scorer: scorerAt({
      url: env.SCORER_URL,
      key: readSigningKey(env.SCORER_SECRET),
      tenantSecret: env.TENANT_SECRET,
      now,
      report: fault => reportFault({ kind: 'scorer', fault }),
    }),
    modelAliases: readAliases(env.MODEL_ALIASES),
    profileKeys: readProfileKeys(env.PROFILE_KEYS),
    tenantTag: accountId => tenantTag(accountId, env.TENANT_SECRET),
    leakReporterKeys: publishedKeys(env.SECRET_SCANNING_KEYS_URL),
    now,
    pause: ms => new Promise(resolve => setTimeout(resolve, ms)),
    randomBytes: count => crypto.getRandomValues(new Uint8Array(count)),
    report: reportFault,
  }
}
