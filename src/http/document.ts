import { Misfit, misfitOf } from '../decision/misfit.ts'
import type { Json } from '../json/json.ts'
import type { Problem, ProblemCode } from '../problem.ts'

/** The JSON in a body. If the body holds more than may be read: the part that was read, and why it is refused. */
export type Document = { json: Json; overfull: Problem | null }

const TOO_MANY: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'too_many_questions',
  'too_many_options',
  'too_many_examples',
])

/** What `read` makes of the document. Its beginning may say better than a total count what there is too much of. */
export const readDocument = <T>({ json, overfull }: Document, read: (json: Json) => T): T => {
  if (overfull === null) return read(json)
  try {
    read(json)
  } catch (error) {
    // By itself: what is at fault besides, such as a field that is missing, may only be what was not read.
    const fault =
      error instanceof Misfit ? [error, ...error.others].find(({ code }) => TOO_MANY.has(code)) : undefined
    if (fault !== undefined) throw misfitOf([fault])
  }
  throw overfull
}
