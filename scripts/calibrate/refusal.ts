import { exampleIn } from '../../src/calibration/examples-file.ts'
import { legible } from '../terminal.ts'
import type { Refused } from './answer.ts'
import type { Line } from './examples.ts'

/** A refusal as one line for a terminal, naming the line of the file it concerns. */
export const explain = (
  { status, code, message, param }: Omit<Refused, 'kind'>,
  lines: readonly Pick<Line, 'number'>[],
): string => {
  const line = lines[exampleIn(param) ?? -1]
  return `${status} ${code}: ${legible(message)}${line === undefined ? '' : ` (line ${line.number} of the file)`}`
}
