import type { Path } from '../../decision/misfit.ts'
import { Problem } from '../../problem.ts'

/** A broken rule, with its field named the way this API names fields: `questions[0].choices[1].value`. */
export const refusal = (path: Path, rule: string): Problem => {
  const param = nameOf(path)
  return new Problem('invalid_schema', `${param} ${rule}`, { param })
}

export const nameOf = (path: Path): string =>
  path.reduce<string>(
    (name, step) => (typeof step === 'number' ? `${name}[${step}]` : name === '' ? step : `${name}.${step}`),
    '',
  )
