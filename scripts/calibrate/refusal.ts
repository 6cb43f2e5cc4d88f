import { exampleIn } from '../../src/calibration/examples-file.ts'
import { legible } from '../terminal.ts'
import type { Body } from './examples.ts'
import type { Refused } from './upload.ts'

/** A refusal as one line for a terminal, naming the line of the file it concerns. */
export const explain = ({ status, code, message, param }: Refused, lineOf: Body['lineOf']): string => {
  const example = exampleIn(param)
  const line = example === null ? undefined : lineOf(example)
  return `${status} ${code}: ${legible(message)}${line === undefined ? '' : ` (line ${line} of the file)`}`
}
