import { REGION } from '../../scorer/protocol.ts'
import { type JsonObject, objectOf } from '../json/json.ts'
import type { Scorer } from './scorer.ts'

/** The answer of `GET /healthz`: the edge answers even if the scorer does not, and then says so. */
export const healthOf = async (scorer: Scorer): Promise<JsonObject> => {
  const health = await scorer.health()
  if (typeof health !== 'string')
    return objectOf({ ok: health.ok && health.ready, region: health.region, engine: health.engine })
  const engine = health === 'draining' ? 'draining' : 'unreachable'
  return objectOf({ ok: false, region: REGION, engine })
}
