import type { JsonObject } from '../json/json.ts'

/** A warning for each field at the top of a body that is none of the known ones. */
export const warningsAbout = (body: JsonObject, known: ReadonlySet<string>): string[] =>
  [...body.keys()].filter(name => !known.has(name)).map(name => `unknown field ignored: ${name}`)
