import { readFileSync } from 'node:fs'
import { StartError } from '../../start-error.ts'

/** A JSON file of a snapshot. */
export const readJson = (path: string): unknown => {
  const text = readText(path)
  try {
    return JSON.parse(text)
  } catch (fault) {
    throw new StartError(`${path} is not valid JSON: ${whyNot(text, fault as SyntaxError)}`)
  }
}

const whyNot = (text: string, { message }: SyntaxError): string => {
  // Some editors begin a file with one when they save it.
  if (text.startsWith('\uFEFF')) return 'it begins with a byte order mark'
  if (!text.trimEnd().endsWith('}')) return 'it was not copied completely'
  // Operators edit descriptions by hand. Node's message would quote the text, and does not always say where.
  const line = /\(line (\d+) column \d+\)$/.exec(message)?.[1]
  return `it has a mistake${line === undefined ? '' : ` in line ${line}`}`
}

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new StartError(`${path} is missing or cannot be read`)
  }
}
