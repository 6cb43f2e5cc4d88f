import { type BrokenRule, Misfit } from '../../decision/misfit.ts'
import { REQUIRED } from '../../decision/question.ts'
import { type JsonObject, objectOf } from '../../json/json.ts'
import { PROBLEMS, type Problem, type ProblemCode } from '../../problem.ts'

const MAX_LISTED = 20
/** What FastAPI calls the fault of a field that was left out. */
export const MISSING = 'missing'

/** 422 as FastAPI writes it; other statuses with an error type and a message. Fields that only we have are prefixed. */
export const refused = (problem: Problem): { status: number; body: JsonObject } => {
  const status = statusOf(problem.code)
  return { status, body: status === 422 ? located(problem) : explained(problem) }
}

/** Jev itself answers 400 to a state over the limit, and its clients look for that before they split a request. */
export const statusOf = (code: ProblemCode): number =>
  code === 'state_too_long' ? 400 : PROBLEMS[code].status

const located = (problem: Problem): JsonObject => {
  const faults = faultsIn(problem)
  const detail = faults.slice(0, MAX_LISTED)
  const left = faults.length - detail.length
  if (left > 0) detail.push(ofBody(problem, `has more faults: ${left}`))
  return objectOf({ detail: detail.map(entryOf) })
}

const faultsIn = (problem: Problem): readonly BrokenRule[] =>
  problem instanceof Misfit ? [problem, ...problem.others] : [ofBody(problem, problem.message)]

const ofBody = ({ code }: Problem, rule: string): BrokenRule => ({ path: [], rule, code })

const entryOf = ({ path, rule, code }: BrokenRule): JsonObject =>
  objectOf({ type: rule === REQUIRED ? MISSING : code, loc: ['body', ...path], msg: rule })

const explained = (problem: Problem): JsonObject => {
  const { code } = problem
  const { message, param } = inItsNames(problem)
  return objectOf({
    detail: objectOf({ error_type: errorTypeOf(code), message, x_code: code, x_param: param }),
  })
}

/** Here the profile is one of our prefixed fields. */
const inItsNames = (problem: Problem) =>
  problem instanceof Misfit && problem.path[0] === 'calibration'
    ? { message: `x_calibration ${problem.rule}`, param: 'x_calibration' }
    : problem

export const errorTypeOf = (code: ProblemCode): string => {
  if (code === 'state_too_long') return 'max_tokens_exceeded'
  if (code === 'not_found' || code === 'method_not_allowed') return code
  const { type } = PROBLEMS[code]
  return type === 'invalid_request_error' ? 'api_usage_error' : type
}
