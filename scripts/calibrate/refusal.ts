import type { Body } from './examples.ts'
import { legible } from './table.ts'
import type { Refused } from './upload.ts'

/** A refusal in one line for a terminal, with the line of the file that it is about. */
export const explain = ({ status, code, message, param }: Refused, lineOf: Body['lineOf']): string => {
  const example = /^examples\.(\d+)/.exec(param ?? '')?.[1]
  const line = example === undefined ? undefined : lineOf(Number(example))
  return `${status} ${code}: ${legible(message)}${line === undefined ? '' : ` (line ${line} of the file)`}`
}
