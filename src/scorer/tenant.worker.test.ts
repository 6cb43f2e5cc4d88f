import { expect, it } from 'vitest'
import { serveCalibration } from '../calibration/serve.ts'
import { decide } from '../decide.ts'
import { native } from '../dialects/native.ts'
import type { Document } from '../http/document.ts'
import { newVisit } from '../http/every-response.ts'
import { examples, setup } from '../testing/calibrations.ts'
import { jsonOf } from '../testing/json.ts'
import { NOW, OWNER } from '../testing/setup.ts'
import type { Scorer } from './scorer.ts'

/** A record for the log that does not say whose request it is. */
const unattributed = () => newVisit('req_test', NOW)

const documentOf = (body: object): Document => ({ json: jsonOf(body), overfull: null })

it.each([
  ['a decision', decide, { state: '1 0', questions: { q: { type: 'noul' } } }],
  ['a calibration', serveCalibration, { examples: examples() }],
])(
  '%s is scored for the account that was admitted, whatever the record for the log says',
  async (_, serve, body) => {
    const tenants = new Set<string>()
    const { services } = setup()
    const score: Scorer['score'] = (units, limit) => {
      for (const { tenant } of units) tenants.add(tenant)
      return services.scorer.score(units, limit)
    }
    const watched = { ...services, scorer: { ...services.scorer, score } }
    const vars = { services: watched, visit: unattributed(), dialect: native }
    await serve(documentOf(body), vars, OWNER)
    expect([...tenants]).toEqual([`tag of ${OWNER.accountId}`])
  },
)
