import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StartError } from '../../start-error.ts'
import { MARKERS } from '../rendering/markers.ts'
import { loadTokenizer } from './tokenizer-file.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tokenizer-'))
})
afterEach(() => rm(folder, { recursive: true }))

const write = (over: object) => {
  const file = {
    model: { type: 'WordPiece', vocab: { a: 300, constructor: 301 } },
    decider: MARKERS,
    ...over,
  }
  return writeFile(join(folder, 'tokenizer.json'), JSON.stringify(file))
}

describe('the tokenizer of a snapshot', () => {
  it('knows the words of its file, whatever they are', async () => {
    await write({})
    expect(Array.from(loadTokenizer(folder).encode('a constructor')?.ids ?? [])).toEqual([300, 301])
  })

  it.each([
    ['another kind of model', { model: { type: 'BPE', vocab: {} } }, 'model.type is not as expected'],
    ['no words', { model: { type: 'WordPiece' } }, 'model.vocab is not as expected'],
    [
      'a word without a number',
      { model: { type: 'WordPiece', vocab: { a: '300' } } },
      'model.vocab is not as expected',
    ],
    ['another marker', { decider: { ...MARKERS, newline: 12 } }, 'decider names markers that differ'],
    ['no markers', { decider: undefined }, 'decider is not as expected'],
  ])('is refused if its file has %s', async (_, over, why) => {
    await write(over)
    expect(() => loadTokenizer(folder)).toThrow(StartError)
    expect(() => loadTokenizer(folder)).toThrow(`${join(folder, 'tokenizer.json')}: ${why}`)
  })
})
