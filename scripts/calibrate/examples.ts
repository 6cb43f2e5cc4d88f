import { textOf } from '../../src/calibration/examples-file.ts'
import { isArray, isObject, type JsonObject } from '../../src/json/json.ts'
import { readJson } from '../../src/json/reader.ts'
import { bytesOf } from './bytes-of.ts'

/** A line of the file, counted from 1, and the example on it. */
export type Line = { number: number; text: string; example: JsonObject }

export const readLines = async (file: string): Promise<Line[]> => {
  const text = textOf(await bytesOf(file))
  if (text === null) throw new Error('The file is not UTF-8. Save it as UTF-8 and try again.')
  const lines = linesOf(text)
  if (lines.length === 0) throw new Error('The file has no examples.')
  return lines
}

const FROM_CSV = ' Each line must be one example; docs/calibration.md says how to make them from a CSV file.'

/** The lines that are not empty. */
export const linesOf = (text: string): Line[] =>
  text
    .split(/\r?\n/)
    .map((content, index) => ({ text: content, number: index + 1 }))
    .filter(line => line.text.trim() !== '')
    .map(line => {
      const reading = readJson(line.text)
      if (reading.kind === 'refused')
        throw new Error(
          `Line ${line.number} is not valid JSON: ${reading.rule}.${line.number === 1 ? FROM_CSV : ''}`,
        )
      if (isArray(reading.value))
        throw new Error(
          `Line ${line.number} is an array. Give each example a line of its own, without brackets.`,
        )
      if (!isObject(reading.value))
        throw new Error(`Line ${line.number} is not an example, an object of state and questions.`)
      return { ...line, example: reading.value }
    })
