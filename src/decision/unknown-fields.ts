import type { JsonObject } from '../json/json.ts'

/**
 * A warning for each unknown field at the top of a body. The fields are compared with a list, because in a Set fields
 * of digits could be made to collide (`KeyedByCaller`).
 */
export const warningsAbout = (body: JsonObject, known: readonly string[]): string[] =>
  [...body.keys()].filter(name => !known.includes(name)).map(name => `unknown field ignored: ${name}`)
