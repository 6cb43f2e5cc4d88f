import { readFile } from 'node:fs/promises'
import type { Options } from './options.ts'

export type Body = {
  text: string
  /** The line an example stands on, counted from 1. */
  lineOf: (example: number) => number | undefined
}

/** The request a file of examples makes. Its lines go out as they stand: order and digits are meaning. */
export const readExamples = async ({
  file,
  targetError,
  model,
}: Pick<Options, 'file' | 'targetError' | 'model'>): Promise<Body> =>
  bodyOf(await readFile(file, 'utf8'), { targetError, model })

export const bodyOf = (
  text: string,
  { targetError, model }: { targetError: string | null; model: string | null },
): Body => {
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((content, index) => ({ content, number: index + 1 }))
    .filter(({ content }) => content.trim() !== '')
  for (const { content, number } of lines) {
    if (!isJson(content)) throw new Error(`Line ${number} is not one JSON value.`)
  }
  if (targetError !== null && !isJson(targetError)) throw new Error('--target-error must be a number.')
  const members = [
    `"examples":[${lines.map(({ content }) => content).join(',')}]`,
    '"curves":true',
    ...(targetError === null ? [] : [`"target_error":${targetError}`]),
    ...(model === null ? [] : [`"model":${JSON.stringify(model)}`]),
  ]
  return { text: `{${members.join(',')}}`, lineOf: example => lines[example]?.number }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
