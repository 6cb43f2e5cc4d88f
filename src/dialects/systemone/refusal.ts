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
  const { path, rule } = problem instanceof Misfit ? problem : foundLater(problem)
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

/**
 * What the core finds later than the dialect's own reading: of the body, or of the instructions of a question. Those
 * its message names as well, which `loc` does here.
 */
const foundLater = ({ param = 'body', message }: Problem): { path: Path; rule: string } => {
  if (param === 'body') return { path: [], rule: message }
  const id = /^questions\.(.*)\.instructions$/s.exec(param)?.[1]
  const path = id === undefined ? [param] : ['questions', id, 'instructions']
  return { path, rule: message.startsWith(`${param} `) ? message.slice(param.length + 1) : message }
}

const explained = (problem: Problem, errorType: string): JsonObject =>
  objectOf({
    detail: objectOf({
      error_type: errorType,
      message: inItsNames(problem.message),
      x_code: problem.code,
      x_param: problem.param === undefined ? undefined : inItsNames(problem.param),
    }),
  })

/** A profile is a field of ours here. */
const inItsNames = (text: string): string => text.replace(/^calibration\b/, 'x_calibration')

const errorType = (code: ProblemCode): string => {
  if (code === 'not_found' || code === 'method_not_allowed') return code
  const { type } = PROBLEMS[code]
  return type === 'invalid_request_error' ? 'api_usage_error' : type
}
