// Reads a file of labelled examples far enough to say what is wrong before it is sent.
import { exampleIn, namedQuestions, withoutLabel } from '../../../src/calibration/examples-file.ts'
import { MAX_EXAMPLES, MIN_EXAMPLES } from '../../../src/calibration/limits.ts'
import { wordingOf } from '../../../src/decision/question-wording.ts'
import { readQuestion } from '../../../src/decision/questions.ts'
import { MAX_BODY_BYTES } from '../../../src/http/body-limit.ts'
import { isArray, isObject, type Json, type JsonObject } from '../../../src/json/json.ts'
import { readJson } from '../../../src/json/reader.ts'
import { compact } from '../../../src/json/writer.ts'
import { textIn } from '../service/fields.ts'
import { bytes, count, plural } from '../ui/format.ts'

/** More than a valid request takes in any usual formatting. Reading more would block the page for seconds. */
export const FILE_MAX_BYTES = 10 * MAX_BODY_BYTES

export type ExamplesFile = {
  name: string
  /** Of the file, in bytes. */
  size: number
  examples: number
  /** Labels by question id and type, in the order met, and in how many wordings the question is asked. */
  questions: readonly { id: string; type: string; labels: number; wordings: number }[]
  /** The examples exactly as in the file, ready to go into a request. */
  text: string
  first: JsonObject | null
  problems: readonly string[]
  /** The line of each example, counted from 1, if each example is a line. */
  lines: readonly number[]
}

/** Whether what is not UTF-8 is no text either, as a spreadsheet or a picture. UTF-16, which is, begins with its mark. */
export const isBinary = (bytes: Uint8Array): boolean => {
  const [first, second] = bytes
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return !isMarked && bytes.includes(0)
}

/** Reads JSON Lines, a JSON array, or an object with `examples`. What is clearly none of them gets a sentence saying so. */
export const readExamples = (name: string, text: string): ExamplesFile | string => {
  const file = { name, size: new TextEncoder().encode(text).byteLength }
  if (text.trim() === '') return 'The file is empty.'
  const whole = readJson(text)
  if (whole.kind === 'read' && isArray(whole.value)) return described(file, whole.value, text.trim())
  if (whole.kind === 'read' && isObject(whole.value) && whole.value.has('examples')) {
    const examples = whole.value.get('examples') ?? null
    return described(file, isArray(examples) ? examples : [], compact(examples))
  }
  // What does not begin with a line of JSON is not read as lines: each would be reported as one more mistake.
  const [beginning = ''] = text.trimStart().split('\n', 1)
  if (readJson(beginning).kind === 'refused') {
    if (whole.kind === 'read')
      return 'This is JSON, but neither a list of examples nor an object with `examples`.'
    if (/^[^{[].*[,;\t]/.test(text.trimStart()))
      return 'This looks like CSV. Each line must be a JSON object.'
    const line = text.slice(0, whole.at).split('\n').length
    return `This is not JSON Lines, and as one JSON text it breaks in line ${count(line)}: ${whole.rule}.`
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
  return described(file, examples, `[${texts.join(',')}]`, problems, lines)
}

const described = (
  file: Pick<ExamplesFile, 'name' | 'size'>,
  examples: readonly Json[],
  text: string,
  unreadable: readonly string[] = [],
  lines: readonly number[] = [],
): ExamplesFile => {
  const tally = new Map<string, { id: string; type: string; labels: number; wordings: Set<string> }>()
  const problems = [...unreadable]
  for (const [at, example] of examples.entries()) {
    const questions = isObject(example) ? namedQuestions(example) : []
    if (questions.length === 0) problems.push(`Example ${count(at + 1)} has no questions.`)
    for (const [id, question] of questions) {
      if (!isObject(question)) continue
      const type = textIn(question, 'type')
      const seen = tally.get(`${type} ${id}`) ?? { id, type, labels: 0, wordings: new Set() }
      // What is copied to be labelled has null for a label.
      if ((question.get('label') ?? null) !== null) seen.labels++
      seen.wordings.add(wordingIn(question))
      tally.set(`${type} ${id}`, seen)
    }
  }
  if (examples.length < MIN_EXAMPLES)
    problems.push(`The file has ${plural(examples.length, 'example')}; at least ${MIN_EXAMPLES} are needed.`)
  if (examples.length > MAX_EXAMPLES)
    problems.push(`The file has ${count(examples.length)} examples; the limit is ${count(MAX_EXAMPLES)}.`)
  const sent = new TextEncoder().encode(text).byteLength
  if (sent > MAX_BODY_BYTES - 1_000)
    problems.push(`The examples take ${bytes(sent)}; a request can hold ${bytes(MAX_BODY_BYTES)}.`)
  const [first] = examples
  return {
    ...file,
    examples: examples.length,
    questions: [...tally.values()].map(seen => ({ ...seen, wordings: seen.wordings.size })),
    text,
    first: isObject(first) ? first : null,
    problems,
    lines,
  }
}

/** What the service counts labels by. A question that it would refuse stands for itself. */
const wordingIn = (question: JsonObject): string => {
  const asked = withoutLabel(question)
  try {
    return wordingOf(readQuestion(asked, []))
  } catch {
    return compact(asked)
  }
}

/** The line that a refusal's `param` is about. */
export const lineOf = (file: ExamplesFile, param: string | null): number | null => {
  const example = exampleIn(param)
  return example === null ? null : (file.lines[example] ?? null)
}
