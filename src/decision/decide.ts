import type { UnitAnswer } from '../../scorer/protocol.ts'
import type { Served } from '../access/metered.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { type Document, readDocument } from '../http/document.ts'
import { newId } from '../http/ids.ts'
import type { Visit } from '../http/visit.ts'
import { resolveModel, servedModels } from '../models/models.ts'
import { Problem } from '../problem.ts'
import { engineTimeout } from '../scorer/client.ts'
import { unitOf } from '../scorer/unit.ts'
import type { Services } from '../services.ts'
import { answerTo } from './answers.ts'
import type { Answer, DecisionRequest } from './decision.ts'
import { rulesOf } from './profile-rules.ts'
import { type Scored, usageOf } from './usage.ts'
import { violation } from './violation.ts'

/** One request from its body to its answer, in the words of its dialect: cheap and certain refusals first. */
export const decide = async (
  body: Document,
  dialect: Dialect,
  services: Services,
  visit: Visit,
): Promise<Served> => {
  const startedAt = services.now()
  const deadline = startedAt + dialect.deadlineMs
  const snapshot = resolveModel(dialect.model(body.json), await servedModels(services))
  visit.model = snapshot
  const { request, write } = readDocument(body, json => dialect.read(json))
  visit.questionCount = request.questions.size
  const ruleFor = rulesOf(request.calibration, snapshot, services.profileKeys)

  const tenant = services.tenantTag(visit.accountId ?? '')
  // What is too long is told before what is wrong with the profile, and only the scorer counts tokens.
  const checkOnly = ruleFor instanceof Problem
  const { units } = await services.scorer.score([unitOf(request, { tenant, snapshot, checkOnly })], {
    deadlineMs: Math.max(1, deadline - services.now()),
  })
  refuseTooLong(units[0], request)
  if (ruleFor instanceof Problem) throw ruleFor
  const scored = scoredOf(units[0])
  const answers = new Map<string, Answer>()
  for (const [index, [id, question]] of [...request.questions].entries()) {
    const { logits, reversed } = scored.questions[index] ?? { logits: [], reversed: null }
    answers.set(id, answerTo(question, { logits, reversed: reversed?.logits ?? null }, ruleFor(question)))
  }
  const usage = usageOf([scored])
  const decision = {
    id: newId('dec', services.randomBytes),
    model: snapshot,
    answers,
    usage,
    latencyMs: services.now() - startedAt,
    warnings: request.warnings,
  }
  return { answer: write(decision), snapshot, usage }
}

const refuseTooLong = (unit: UnitAnswer | undefined, { questions }: DecisionRequest): void => {
  if (unit?.kind === 'state_too_long') {
    const rule = `state must hold at most ${unit.limit} tokens; nothing was cut or charged`
    throw new Problem('state_too_long', rule, { param: 'state' })
  }
  if (unit?.kind === 'instructions_too_long') {
    const id = [...questions.keys()][unit.question]
    throw violation(`questions.${id}.instructions`, `must hold at most ${unit.limit} tokens`)
  }
}

/** Not scored is what names a snapshot that was served when the models were last listed. */
const scoredOf = (unit: UnitAnswer | undefined): Scored => {
  if (unit?.kind !== 'scored') throw engineTimeout()
  return unit
}
