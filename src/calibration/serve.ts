import type { ScoreUnit } from '../../scorer/protocol.ts'
import type { Owner } from '../access/admission.ts'
import { requestedModel } from '../decision/request.ts'
import type { Served } from '../decision/served.ts'
import { tooLong } from '../decision/too-long.ts'
import { unitOf } from '../decision/unit.ts'
import { usageOf } from '../decision/usage.ts'
import { type Document, readDocument } from '../http/document.ts'
import type { EdgeEnv } from '../http/visit.ts'
import { KeyedByCaller } from '../json/keyed-by-caller.ts'
import { resolveModel, servedModels } from '../models/models.ts'
import { sealProfile } from '../profiles/profile.ts'
import { engineTimeout } from '../scorer/scorer.ts'
import { calibrate, profileOf, type QuestionReport } from './calibrate.ts'
import { writeCalibration } from './report.ts'
import { type CalibrationRequest, readCalibrationRequest } from './request.ts'
import { checkAll, type Scoring, scoreAll } from './scoring.ts'

/** One calibration from its body to its answer: nothing is scored before all of it is checked. */
export const serveCalibration = async (
  body: Document,
  { services, visit }: EdgeEnv['Variables'],
  payer: Owner,
): Promise<Served> => {
  const { id: snapshot } = resolveModel(requestedModel(body.json), await servedModels(services))
  visit.model = snapshot
  const request = readDocument(body, readCalibrationRequest)
  visit.questionCount = request.examples.reduce((sum, { questions }) => sum + questions.size, 0)

  const tenant = services.tenantTag(payer.accountId)
  const scoring: Scoring = {
    scorer: services.scorer,
    requestId: visit.requestId,
    now: services.now,
    pause: services.pause,
    refuse: (answer, index) => {
      const ids = request.examples[index]?.questions.keys() ?? []
      return tooLong(answer, ids, ['examples', index]) ?? engineTimeout()
    },
  }
  // A refused request is not charged, so nothing is scored that another example's length would cause to be discarded.
  await checkAll(unitsOf(request, { tenant, snapshot, checkOnly: true }), scoring)
  const scored = await scoreAll(unitsOf(request, { tenant, snapshot }), scoring)

  const reports: QuestionReport[] = []
  for (const report of calibrate(request, scored)) {
    reports.push(report)
    // Other requests in this isolate must not wait for all of it.
    await services.pause(0)
  }
  const usage = usageOf(scored)
  const profile = sealProfile(profileOf(snapshot, reports), services.profileKeys[0])
  return { answer: writeCalibration({ request, snapshot, profile, reports, usage }), snapshot, usage }
}

/** What the scorer is told about each example, in turn. */
export function* unitsOf(
  { examples }: CalibrationRequest,
  to: Pick<ScoreUnit, 'tenant' | 'snapshot' | 'checkOnly'>,
): Generator<ScoreUnit> {
  for (const { state, questions } of examples) {
    const asked = new KeyedByCaller([...questions].map(([id, { asked }]) => [id, asked.question]))
    yield unitOf({ state, questions: asked, orderInvariant: false }, to)
  }
}
