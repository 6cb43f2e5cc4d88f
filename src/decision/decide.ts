import type { UnitAnswer } from '../../scorer/protocol.ts'
import type { Served } from '../access/metered.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { newId } from '../http/ids.ts'
import type { Visit } from '../http/visit.ts'
import type { Json } from '../json/json.ts'
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

const ENGINE_DEADLINE_MS = 10_000

/** One request from its body to its answer, in the words of its dialect: cheap and certain refusals first. */
export const decide = async (
  body: Json,
  dialect: Dialect,
  services: Services,
  visit: Visit,
): Promise<Served> => {
  const deadline = services.now() + ENGINE_DEADLINE_MS
  const snapshot = resolveModel(dialect.model(body), await servedModels(services))
  visit.model = snapshot
  const { request, write } = dialect.read(body)
  visit.questionCount = request.questions.size
  const ruleFor = rulesOf(request.calibration, snapshot, services.profileKeys)

  const unit = unitOf(request, { tenant: services.tenantTag(visit.accountId ?? ''), snapshot })
  const { units } = await services.scorer.score([unit], {
    deadlineMs: Math.max(1, deadline - services.now()),
  })
  const scored = scoredOf(units[0], request)
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
    latencyMs: services.now() - visit.arrivedAt,
    warnings: request.warnings,
  }
  return { answer: write(decision), snapshot, usage }
}

const scoredOf = (unit: UnitAnswer | undefined, { questions }: DecisionRequest): Scored => {
  switch (unit?.kind) {
    case 'scored':
      return unit
    case 'state_too_long':
      throw new Problem(
        'state_too_long',
        `state must hold at most ${unit.limit} tokens; nothing was cut or charged`,
        {
          param: 'state',
        },
      )
    case 'instructions_too_long': {
      const id = [...questions.keys()][unit.question]
      throw violation(`questions.${id}.instructions`, `must hold at most ${unit.limit} tokens`)
    }
    // A snapshot that was served when the models were last listed, and an answer to nothing.
    case 'unknown_snapshot':
    case undefined:
      throw engineTimeout()
  }
}
