import { Misfit } from '../../decision/misfit.ts'
import { type JsonObject, objectOf } from '../../json/json.ts'
import { PROBLEMS, type Problem, type ProblemCode } from '../../problem.ts'

/** 422 as FastAPI writes it; other statuses with an error type and a message. Fields that only we have are prefixed. */
export const refused = (problem: Problem): { status: number; body: JsonObject } => {
  if (problem.code === 'state_too_long') {
    // Jev itself answers this, and its clients look for it before they split a request.
    return { status: 400, body: explained(problem, 'max_tokens_exceeded') }
  }
  const { status } = PROBLEMS[problem.code]
  return { status, body: status === 422 ? located(problem) : explained(problem, errorType(problem.code)) }
}

const located = (problem: Problem): JsonObject => {
  // A Problem that is not a Misfit concerns the body as a whole.
  const { path, rule } = problem instanceof Misfit ? problem : { path: [], rule: problem.message }
  return objectOf({
    detail: [
      objectOf({
        type: rule === 'is required' ? 'missing' : problem.code,
        loc: ['body', ...path],
        msg: rule,
      }),
    ],
  })
}

const explained = (problem: Problem, errorType: string): JsonObject => {
  const { code, message, param } = inItsNames(problem)
  return objectOf({
    detail: objectOf({ error_type: errorType, message, x_code: code, x_param: param }),
  })
}

/** Here the profile is one of our prefixed fields. */
const inItsNames = (problem: Problem): Problem =>
  problem instanceof Misfit && problem.path[0] === 'calibration'
    ? new Misfit(['x_calibration'], problem.rule, problem.code)
    : problem

const errorType = (code: ProblemCode): string => {
  if (code === 'not_found' || code === 'method_not_allowed') return code
  const { type } = PROBLEMS[code]
  return type === 'invalid_request_error' ? 'api_usage_error' : type
}
