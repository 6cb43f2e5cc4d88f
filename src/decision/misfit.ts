import * as v from 'valibot'
import { Problem, type ProblemCode } from '../problem.ts'

export type Path = readonly (string | number)[]

/** A broken rule of the body, with the path to it step by step: an id may contain a dot, so `param` is ambiguous. */
export class Misfit extends Problem {
  readonly path: Path
  readonly rule: string
  constructor(path: Path, rule: string, code: ProblemCode = 'invalid_schema') {
    super(code, `${path.join('.')} ${rule}`, { param: path.join('.') })
    this.path = path
    this.rule = rule
  }
}

/** The value as the schema reads it, or the first broken rule as a Misfit at or below `path`. */
export const conform = <S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  path: Path,
): v.InferOutput<S> => {
  const result = v.safeParse(schema, value, { abortEarly: true })
  if (result.success) return result.output
  const [issue] = result.issues
  throw new Misfit([...path, ...knownSteps(issue)], ruleOf(issue))
}

/** The rule as it applies to the named field: a Map's keys are not named, so below one it covers each of its values. */
const ruleOf = ({ path, message }: v.BaseIssue<unknown>): string =>
  path?.some(({ type }) => type === 'map') ? `(each value that is not null) ${message}` : message

/** Known field names and indexes only: the keys of a Map are the caller's own words. */
function* knownSteps({ path }: v.BaseIssue<unknown>): Generator<string | number> {
  for (const step of path ?? []) {
    if (step.type !== 'object' && step.type !== 'array') return
    yield step.key as string | number
  }
}
