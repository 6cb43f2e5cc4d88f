import type { Owner } from './access/admission.ts'
import { answerTo } from './decision/answers.ts'
import type { Answer } from './decision/decision.ts'
import { rulesOf } from './decision/profile-rules.ts'
import { requestedModel } from './decision/request.ts'
import type { Served } from './decision/served.ts'
import { refuseLongState, tooLong } from './decision/too-long.ts'
import { unitOf } from './decision/unit.ts'
import { usageOf } from './decision/usage.ts'
import { type Document, readDocument } from './http/document.ts'
import type { EdgeEnv } from './http/visit.ts'
import { newId } from './ids.ts'
import { KeyedByCaller } from './json/keyed-by-caller.ts'
import { resolveModel, servedModels } from './models/models.ts'
import { present } from './present.ts'
import { Problem } from './problem.ts'
import { engineTimeout } from './scorer/scorer.ts'

/** One request from its body to its answer, in the form of its dialect: cheap and certain refusals first. */
export const decide = async (
  body: Document,
  { dialect, services, visit }: EdgeEnv['Variables'],
  payer: Owner,
): Promise<Served> => {
  const startedAt = services.now()
  const deadline = startedAt + dialect.deadlineMs
  const served = await servedModels(services)
  const { id: snapshot, max_state_tokens } = resolveModel(requestedModel(body.json), served, dialect.models)
  visit.model = snapshot
  if (body.overfull !== null) refuseLongState(dialect.state(body.json), max_state_tokens)
  const { request, write } = readDocument(body, json => dialect.read(json))
  visit.questionCount = request.questions.size
  const ruleFor = rulesOf(request.calibration, snapshot, services.profileKeys)

  const tenant = services.tenantTag(payer.accountId)
  // A length error is reported before a profile error, and only the scorer counts tokens.
  const checkOnly = ruleFor instanceof Problem
  const scoring = services.scorer.score([unitOf(request, { tenant, snapshot, checkOnly })], {
    // A clock that was set back meanwhile gives no more time.
    deadlineMs: Math.min(dialect.deadlineMs, Math.max(1, deadline - services.now())),
    requestId: visit.requestId,
  })
  const {
    units: [unit],
  } = await scoring.catch(error => {
    // Without a scorer it stays certain that the profile is refused, and sending it again would not help.
    throw checkOnly ? ruleFor : error
  })
  const over = tooLong(unit, request.questions.keys())
  if (over !== null) throw over
  if (ruleFor instanceof Problem) throw ruleFor
  // A unit that was to be scored and came back as anything else was not answered.
  if (unit?.kind !== 'scored') throw engineTimeout()
  const answers = new KeyedByCaller<Answer>()
  for (const [index, [id, question]] of [...request.questions].entries()) {
    const { logits, reversed } = present(unit.questions[index], 'a scored question')
    answers.set(id, answerTo(question, { logits, reversed: reversed?.logits ?? null }, ruleFor(question)))
  }
  const usage = usageOf([unit])
  const decision = {
    id: newId('dec', services.randomBytes),
    model: snapshot,
    answers,
    usage,
    latencyMs: Math.max(0, services.now() - startedAt),
    warnings: request.warnings,
  }
  return { answer: write(decision), snapshot, usage }
}
