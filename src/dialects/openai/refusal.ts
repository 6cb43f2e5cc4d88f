import { Misfit, type Path } from '../../decision/misfit.ts'
import { type JsonObject, objectOf } from '../../json/json.ts'
import { PROBLEMS, type Problem } from '../../problem.ts'

/** The native status and code, and the field named the way this API names fields: `questions[0].choices[1].value`. */
export const refused = (problem: Problem): { status: number; body: JsonObject } => {
  const { status, type } = PROBLEMS[problem.code]
  const { message, param = null } = problem instanceof Misfit ? inItsNames(problem) : problem
  return { status, body: objectOf({ error: objectOf({ message, type, param, code: problem.code }) }) }
}

const inItsNames = ({ path, rule }: Misfit) => {
  const param = nameOf(path)
  return { message: `${param} ${rule}`, param }
}

/** What the core finds after this dialect's reading is under the core's own names, its questions keyed by index. */
const nameOf = ([field, ...steps]: Path): string => {
  const named = steps.map((step, at) =>
    typeof step === 'number' || (field === 'questions' && at === 0) ? `[${step}]` : `.${step}`,
  )
  return [field === 'state' ? 'input' : field, ...named].join('')
}
