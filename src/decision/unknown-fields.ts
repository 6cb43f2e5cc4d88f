import type { JsonObject } from '../json/json.ts'

/**
 * A warning for each field at the top of a body that is none of the known ones. Those are a list, for in a Set fields of
 * digits could be made to meet (`KeyedByCaller`).
 */
export const warningsAbout = (body: JsonObject, known: readonly string[]): string[] =>
  [...body.keys()].filter(name => !known.includes(name)).map(name => `unknown field ignored: ${name}`)
