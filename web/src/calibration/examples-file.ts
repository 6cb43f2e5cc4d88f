// Reads a file of labelled examples far enough to say what is wrong before it is sent.
import { exampleIn, namedQuestions } from '../../../src/calibration/examples-file.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../../src/json/json.ts'
import { readJson } from '../../../src/json/reader.ts'
import { compact } from '../../../src/json/writer.ts'
import { textIn } from '../service/fields.ts'
import { bytes, count, plural } from '../ui/format.ts'

const EXAMPLES_MIN = 200
const EXAMPLES_MAX = 5_000
const BODY_MAX_BYTES = 4_000_000
/** More than a valid request takes in any usual formatting. Reading more would block the page for seconds. */
export const FILE_MAX_BYTES = 10 * BODY_MAX_BYTES

export type ExamplesFile = {
  name: string
  size: number
  examples: number
  /** Labels by question id and type, in the order met. */
  questions: readonly { id: string; type: string; labels: number }[]
  /** The examples exactly as in the file, ready to go into a request. */
  text: string
  first: JsonObject | null
  problems: readonly string[]
  /** The line of each example, counted from 1, if each example is a line. */
  lines: readonly number[]
}

/** Reads JSON Lines, a JSON array, or an object with `examples`. */
export const readExamples = (name: string, text: string): ExamplesFile => {
  const whole = readJson(text)
  if (whole.kind === 'read' && isArray(whole.value)) return described(name, whole.value, text.trim())
  if (whole.kind === 'read' && isObject(whole.value) && whole.value.has('examples')) {
    const examples = whole.value.get('examples') ?? null
    return described(name, isArray(examples) ? examples : [], compact(examples))
  }
  // An array with a mistake in it is not read as lines: each line would be reported as one more mistake.
  if (whole.kind === 'refused' && text.trimStart().startsWith('[')) {
    const line = text.slice(0, whole.at).split('\n').length
    return described(name, [], '[]', [`Line ${count(line)} is not valid JSON: ${whole.rule}.`])
  }
  const problems: string[] = []
  const examples: Json[] = []
  const texts: string[] = []
  const lines: number[] = []
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const reading = readJson(line)
    if (reading.kind === 'refused') problems.push(`Line ${count(at + 1)} is not valid JSON: ${reading.rule}.`)
    else {
      examples.push(reading.value)
      texts.push(line.trim())
      lines.push(at + 1)
    }
  }
  return described(name, examples, `[${texts.join(',')}]`, problems, lines)
}

const described = (
  name: string,
  examples: readonly Json[],
  text: string,
  unreadable: readonly string[] = [],
  lines: readonly number[] = [],
): ExamplesFile => {
  const tally = new Map<string, { id: string; type: string; labels: number }>()
  const problems = [...unreadable]
  for (const [at, example] of examples.entries()) {
    const questions = isObject(example) ? namedQuestions(example) : []
    if (questions.length === 0) problems.push(`Example ${count(at + 1)} has no questions.`)
    for (const [id, question] of questions) {
      if (!isObject(question)) continue
      const type = textIn(question, 'type')
      const seen = tally.get(`${type} ${id}`) ?? { id, type, labels: 0 }
      if (question.has('label')) seen.labels++
      tally.set(`${type} ${id}`, seen)
    }
  }
  if (examples.length < EXAMPLES_MIN)
    problems.push(`The file has ${plural(examples.length, 'example')}; at least ${EXAMPLES_MIN} are needed.`)
  if (examples.length > EXAMPLES_MAX)
    problems.push(`The file has ${count(examples.length)} examples; the limit is ${count(EXAMPLES_MAX)}.`)
  const size = new TextEncoder().encode(text).byteLength
  if (size > BODY_MAX_BYTES - 1_000)
    problems.push(`The examples take ${bytes(size)}; a request can hold ${bytes(BODY_MAX_BYTES)}.`)
  const [first] = examples
  return {
    name,
    size,
    examples: examples.length,
    questions: [...tally.values()],
    text,
    first: isObject(first) ? first : null,
    problems,
    lines,
  }
}

/** The line that a refusal's `param` is about. */
export const lineOf = (file: ExamplesFile, param: string | null): number | null => {
  const example = exampleIn(param)
  return example === null ? null : (file.lines[example] ?? null)
}
