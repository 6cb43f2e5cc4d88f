import { exampleIn } from '../../src/calibration/examples-file.ts'
import { legible } from '../terminal.ts'
import type { Refused } from './answer.ts'
import type { Line } from './examples.ts'

/** A refusal as one line for a terminal, after the line of the file it concerns. */
export const explain = (
  { status, code, message }: Pick<Refused, 'status' | 'code' | 'message'>,
  line: number | undefined,
): string => `${line === undefined ? '' : `Line ${line}: `}${status} ${legible(`${code}: ${message}`)}`

/** The line of the example that a refusal's `param` names. */
export const lineIn = (param: string | null, lines: readonly Line[]): number | undefined => {
  const example = exampleIn(param)
  return example === null ? undefined : lines[example]?.number
}
