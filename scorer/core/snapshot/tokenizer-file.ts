import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { StartError } from '../../start-error.ts'
import { FIRST_BYTE, MARKERS, NEWLINE, RENDERING } from '../rendering/markers.ts'
import { createTokenizer, type Tokenizer } from '../tokenizer/tokenizer.ts'
import { buildVocabulary } from '../tokenizer/vocabulary.ts'
import { readJson } from './read-json.ts'

// Not v.record, which drops `prototype` and `constructor`: here they are words like any other.
const isVocabulary = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.values(value).every(id => Number.isInteger(id))

const File = v.object({
  model: v.object({ type: v.literal('WordPiece'), vocab: v.custom<Record<string, number>>(isVocabulary) }),
  decider: v.unknown(),
})

/** The tokenizer in a snapshot's folder. Its markers must be those that the scorer renders. */
export const loadTokenizer = (folder: string): Tokenizer => {
  const path = join(folder, 'tokenizer.json')
  const read = v.safeParse(File, readJson(path), { abortEarly: true })
  if (!read.success)
    throw new StartError(`${path}: ${v.getDotPath(read.issues[0]) ?? 'file'} is not as expected`)
  if (!isDeepStrictEqual(read.output.decider, MARKERS)) {
    throw new StartError(
      `${path}: decider names markers that differ from those of rendering version ${RENDERING}`,
    )
  }
  const pieces = new Map(Object.entries(read.output.model.vocab))
  return createTokenizer(buildVocabulary(pieces), { newline: NEWLINE, firstByte: FIRST_BYTE })
}
