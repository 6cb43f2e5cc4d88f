import type { JsonObject } from '../json/json.ts'
import { cut } from './cut.ts'

/**
 * A warning for each unknown field at the top of a body, with its name here if only the prefix of an added field
 * differs, or with the paths that know it. The fields are compared with a list, because in a Set fields of digits could
 * be made to collide (`KeyedByCaller`).
 */
export const warningsAbout = (body: JsonObject, known: readonly string[]): string[] =>
  [...body.keys()].filter(name => !known.includes(name)).map(name => warningAbout(name, known))

const warningAbout = (name: string, known: readonly string[]): string =>
  `unknown field ignored: ${cut(name)}${hintAbout(name, known)}`

const hintAbout = (name: string, known: readonly string[]): string => {
  const here = name.startsWith('x_') ? name.slice(2) : `x_${name}`
  if (known.includes(here)) return `; here it is ${here}`
  const ours = OURS.find(field => field === name || field === here)
  return ours === undefined ? '' : `; /v1/decisions has ${ours}, /v1/systemone x_${ours}`
}

/** What some paths have no field for: whoever sends it there takes it to work. */
const OURS = ['calibration', 'order_invariant']
