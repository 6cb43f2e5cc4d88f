import type { JsonObject } from '../json/json.ts'

/**
 * A warning for each unknown field at the top of a body, with its name here if only the prefix of an added field
 * differs. The fields are compared with a list, because in a Set fields of digits could be made to collide
 * (`KeyedByCaller`).
 */
export const warningsAbout = (body: JsonObject, known: readonly string[]): string[] =>
  [...body.keys()].filter(name => !known.includes(name)).map(name => warningAbout(name, known))

const warningAbout = (name: string, known: readonly string[]): string => {
  const here = name.startsWith('x_') ? name.slice(2) : `x_${name}`
  return `unknown field ignored: ${name}${known.includes(here) ? `; here it is ${here}` : ''}`
}
