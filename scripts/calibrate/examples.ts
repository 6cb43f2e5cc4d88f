import { readFile } from 'node:fs/promises'
import { textOf } from '../../src/calibration/examples-file.ts'
import { readJson } from '../../src/json/reader.ts'
import type { Options } from './options.ts'

export type Body = {
  text: string
  /** The line of an example, counted from 1. */
  lineOf: (example: number) => number | undefined
}

/** The request for a file of examples. Its lines are sent unchanged: order and digits carry meaning. */
export const readExamples = async ({
  file,
  targetError,
  model,
}: Pick<Options, 'file' | 'targetError' | 'model'>): Promise<Body> => {
  const text = textOf(await readFile(file))
  if (text === null) throw new Error('The file is not UTF-8. Save it as UTF-8 and try again.')
  return bodyOf(text, { targetError, model })
}

export const bodyOf = (
  text: string,
  { targetError, model }: { targetError: string | null; model: string | null },
): Body => {
  const lines = text
    .split(/\r?\n/)
    .map((content, index) => ({ content, number: index + 1 }))
    .filter(({ content }) => content.trim() !== '')
  for (const { content, number } of lines) {
    const reading = readJson(content)
    if (reading.kind === 'refused') throw new Error(`Line ${number} is not valid JSON: ${reading.rule}.`)
  }
  if (targetError !== null && readJson(targetError).kind === 'refused')
    throw new Error('--target-error must be a number.')
  const members = [
    `"examples":[${lines.map(({ content }) => content).join(',')}]`,
    '"curves":true',
    ...(targetError === null ? [] : [`"target_error":${targetError}`]),
    ...(model === null ? [] : [`"model":${JSON.stringify(model)}`]),
  ]
  return { text: `{${members.join(',')}}`, lineOf: example => lines[example]?.number }
}
