import { readFileSync } from 'node:fs'
import { StartError } from '../../start-error.ts'

/** A JSON file of a snapshot. */
export const readJson = (path: string): unknown => {
  const text = readText(path)
  try {
    return JSON.parse(text)
  } catch {
    // Some editors begin a file with one when they save it.
    const why = text.startsWith('\uFEFF')
      ? 'it begins with a byte order mark'
      : 'it was not copied completely'
    throw new StartError(`${path} is not valid JSON: ${why}`)
  }
}

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new StartError(`${path} is missing or cannot be read`)
  }
}
