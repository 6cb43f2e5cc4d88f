import * as v from 'valibot'
import { present } from '../present.ts'
import { Problem, type ProblemCode } from '../problem.ts'
import { cut } from './cut.ts'

export type Path = readonly (string | number)[]

/** A broken rule of the body, with the path to it step by step: an id may contain a dot, so `param` is ambiguous. */
export type BrokenRule = { readonly path: Path; readonly rule: string; readonly code: ProblemCode }

/** The refusal of a body for a fault. The others that were found are for an API whose refusals list them all. */
export class Misfit extends Problem {
  readonly path: Path
  readonly rule: string
  readonly others: readonly BrokenRule[]
  constructor(
    path: Path,
    rule: string,
    code: ProblemCode = 'invalid_schema',
    others: readonly BrokenRule[] = [],
  ) {
    const shown = shownPath(path)
    const param = shown.join('.')
    super(code, `${param} ${rule}`, { param })
    this.path = shown
    this.rule = rule
    this.others = others.map(fault => ({ ...fault, path: shownPath(fault.path) }))
  }
}

/** The path as a refusal tells it. */
const shownPath = (path: Path): Path => path.map(step => (typeof step === 'string' ? cut(step) : step))

/** The refusal for the first of these faults. */
export const misfitOf = ([first, ...others]: readonly BrokenRule[]): Misfit => {
  const { path, rule, code } = present(first, 'a fault')
  return new Misfit(path, rule, code, others)
}

/** What `read` returns; or null if it refuses, with its faults added to `faults`, so that reading can go on. */
export const attempt = <T>(faults: BrokenRule[], read: () => T): T | null => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof Misfit)) throw error
    const { path, rule, code, others } = error
    faults.push({ path, rule, code }, ...others)
    return null
  }
}

/** The value as the schema reads it, or its broken rules as a Misfit at or below `path`. */
export const conform = <S extends v.GenericSchema>(
  schema: S,
  value: unknown,
  path: Path,
): v.InferOutput<S> => {
  const result = v.safeParse(schema, value)
  if (result.success) return result.output
  throw misfitOf(
    result.issues.map(issue => ({
      path: [...path, ...knownSteps(issue)],
      rule: ruleOf(issue),
      code: 'invalid_schema',
    })),
  )
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
