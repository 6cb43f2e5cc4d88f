import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readJson } from '../json/reader.ts'
import { compact } from '../json/writer.ts'
import { openaiRequest, systemOneRequest } from '../openapi/examples.ts'
import { Problem } from '../problem.ts'
import { openai } from './openai/openai.ts'
import { systemone } from './systemone/systemone.ts'

const SECRET = 'SECRET'
const odd = fc.oneof(
  // An undefined member is left out of the JSON.
  fc.constantFrom<unknown>(
    undefined,
    null,
    true,
    7,
    SECRET,
    '',
    [],
    {},
    [SECRET],
    { type: SECRET },
    { key: SECRET },
  ),
  fc.jsonValue(),
)
type Node = { [name: string]: Node } & Node[]
/** The paths to everything in a document. */
const paths = (node: unknown, path: string[] = []): string[][] =>
  typeof node !== 'object' || node === null
    ? [path]
    : [path, ...Object.entries(node).flatMap(([name, child]) => paths(child, [...path, name]))]
const mutated = (document: unknown) =>
  fc.tuple(fc.constantFrom(...paths(document)), odd).map(([path, value]) => {
    if (path.length === 0) return value
    const copy = structuredClone(document) as Node
    const last = path.at(-1) ?? ''
    const parent = path.slice(0, -1).reduce<Node>((node, step) => node[step] as Node, copy)
    parent[last] = value as Node
    return copy
  })

it.each([
  ['openai', openai, openaiRequest],
  ['systemone', systemone, systemOneRequest],
] as const)(
  'whatever is wrong, %s reads it, or refuses it in our words without quoting it',
  (_, dialect, request) => {
    fc.assert(
      fc.property(mutated(request), body => {
        const reading = readJson(JSON.stringify(body) ?? '')
        if (reading.kind === 'refused') return
        try {
          dialect.read(reading.value)
        } catch (error) {
          if (!(error instanceof Problem)) throw error
          const text = compact(dialect.refuse(error).body)
          expect(text).not.toMatch(/SECRET|Invalid|Expected|received|undefined/)
        }
      }),
      { numRuns: 1000 },
    )
  },
  30_000,
)
