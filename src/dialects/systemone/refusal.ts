import { type JsonObject, objectOf } from '../../json/json.ts'
import { PROBLEMS, Problem, type ProblemCode } from '../../problem.ts'

export type Path = readonly (string | number)[]

/** A broken rule of the body that remembers where, step by step: an id may hold a dot, so `param` cannot tell. */
export class Misfit extends Problem {
  readonly path: Path
  readonly rule: string
  constructor(path: Path, rule: string, code: ProblemCode = 'invalid_schema') {
    super(code, `${path.join('.')} ${rule}`, { param: path.join('.') })
    this.path = path
    this.rule = rule
  }
}

/** 422 as FastAPI writes it, the rest with a word and a sentence; what is ours alone is prefixed. */
export const refused = (problem: Problem): { status: number; body: JsonObject } => {
  if (problem.code === 'state_too_long') {
    // What Jev itself answers, and what its clients look for before they split a request.
    return { status: 400, body: explained(problem, 'max_tokens_exceeded') }
  }
  const { status } = PROBLEMS[problem.code]
  return { status, body: status === 422 ? located(problem) : explained(problem, errorType(problem.code)) }
}

const located = (problem: Problem): JsonObject => {
  const [path, rule] =
    problem instanceof Misfit ? [problem.path, problem.rule] : [pathTo(problem.param), problem.message]
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

/** What the core finds later than the dialect's own reading: the body, or the instructions of a question. */
const pathTo = (param: string | undefined): Path => {
  if (param === undefined || param === 'body') return []
  const id = /^questions\.(.*)\.instructions$/s.exec(param)?.[1]
  return id === undefined ? [param] : ['questions', id, 'instructions']
}

const explained = (problem: Problem, errorType: string): JsonObject =>
  objectOf({
    detail: objectOf({
      error_type: errorType,
      message: problem.message,
      x_code: problem.code,
      x_param: problem.param === 'calibration' ? 'x_calibration' : problem.param,
    }),
  })

const errorType = (code: ProblemCode): string => {
  if (code === 'not_found' || code === 'method_not_allowed') return code
  const { type } = PROBLEMS[code]
  return type === 'invalid_request_error' ? 'api_usage_error' : type
}
