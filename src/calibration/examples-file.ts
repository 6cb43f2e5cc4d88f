// What the page and the command line both know about a file of examples before it is sent.
import { isArray, isObject, type Json, type JsonObject } from '../json/json.ts'

/** Its text, or null if it is not UTF-8. Decoded anyway, it would be scored with letters lost, unnoticed. */
export const textOf = (bytes: ArrayBuffer | Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return null
  }
}

type Chosen = { targetError: number; offsets: boolean; model: string | null }

/** The request for a calibration. `examples`, a JSON array, is sent unchanged: order and digits carry meaning. */
export const calibrationBody = (examples: string, { targetError, offsets, model }: Chosen): string => {
  const members = [
    `"examples":${examples}`,
    '"curves":true',
    `"target_error":${targetError}`,
    ...(offsets ? ['"offsets":true'] : []),
    ...(model === null ? [] : [`"model":${JSON.stringify(model)}`]),
  ]
  return `{${members.join(',')}}`
}

/** The index of the example that a refusal's `param` names, from 0; null if it names none. */
export const exampleIn = (param: string | null): number | null => {
  const example = /^examples\.(\d+)/.exec(param ?? '')?.[1]
  return example === undefined ? null : Number(example)
}

/** Questions by id, sent as a map or as a list. */
export const namedQuestions = (example: JsonObject): [id: string, question: Json][] => {
  const sent = example.get('questions')
  if (isObject(sent)) return [...sent]
  return isArray(sent) ? sent.filter(isObject).map(question => [nameOf(question), question]) : []
}

const nameOf = (question: JsonObject): string =>
  [question.get('id'), question.get('name')].find(name => typeof name === 'string') ?? ''

/** An example as a request: the same questions without their labels. */
export const withoutLabels = (example: JsonObject): { state: Json; questions: JsonObject } => ({
  state: example.get('state') ?? example.get('input') ?? '',
  questions: new Map(
    namedQuestions(example).map(([id, question]) => [
      id,
      isObject(question) ? withoutLabel(question) : question,
    ]),
  ),
})

/** A question as a request asks it. */
export const withoutLabel = (question: JsonObject): JsonObject =>
  new Map([...question].filter(([field]) => !NOT_ASKED.has(field)))

/** Fields of a labelled question that a request does not repeat: the label, and the name, which is now the key. */
const NOT_ASKED: ReadonlySet<string> = new Set(['label', 'id', 'name'])
