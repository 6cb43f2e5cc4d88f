import { readFileSync } from 'node:fs'
import { StartError } from '../../start-error.ts'

/** A JSON file of a snapshot. */
export const readJson = (path: string): unknown => {
  const text = readText(path)
  try {
    return JSON.parse(text)
  } catch {
    throw new StartError(`${path} is not valid JSON: it was not copied completely`)
  }
}

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new StartError(`${path} is missing or cannot be read`)
  }
}
