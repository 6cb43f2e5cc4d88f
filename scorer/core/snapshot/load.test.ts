import { createHash } from 'node:crypto'
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { StartError } from '../../start-error.ts'
import { resolveAliases } from './aliases.ts'
import { loadSnapshots } from './load.ts'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'snapshots-'))
})
afterEach(() => rm(root, { recursive: true }))

const temperatures = {
  choice: { '2': 1, '3-4': 1, '5-8': 1, '9-16': 1, '17-64': 1, '65+': 1 },
  noul: 1,
  score: 1,
}
const digest = (text: string) => createHash('sha256').update(text).digest('hex')
const write = async (id: string, over: Record<string, unknown> = {}, folder = id): Promise<void> => {
  await mkdir(join(root, folder))
  await writeFile(join(root, folder, 'weights.bin'), 'weights')
  const description = {
    id,
    released: '2026-10-13',
    status: 'preview',
    base: 'decider-1',
    max_state_tokens: 65_536,
    modalities: ['text'],
    retire_after: null,
    rendering: 1,
    temperatures,
    files: { 'weights.bin': digest('weights') },
    ...over,
  }
  await writeFile(join(root, folder, 'snapshot.json'), JSON.stringify(description))
}
const ids = async () => (await loadSnapshots(root)).map(({ description }) => description.id)

describe('loading snapshots', () => {
  it('loads all snapshots in a folder and ignores other files', async () => {
    await write('decider-preview-2026-10-13', { retire_after: '2028-01-20' })
    await write('decider-2027-01-20', { released: '2027-01-20' })
    await writeFile(join(root, 'README.md'), '')
    expect(await ids()).toEqual(['decider-2027-01-20', 'decider-preview-2026-10-13'])
  })

  it('ignores what a file system keeps at the root of a volume', async () => {
    await write('a')
    for (const name of ['lost+found', '.snapshot', '.Trashes']) await mkdir(join(root, name))
    expect(await ids()).toEqual(['a'])
  })

  it('loads a snapshot elsewhere through a link', async () => {
    await write('a')
    const folder = await mkdtemp(join(tmpdir(), 'snapshots-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await rename(join(root, 'a'), join(folder, 'a'))
    await write('b')
    await symlink(join(folder, 'a'), join(root, 'a'))
    expect(await ids()).toEqual(['a', 'b'])
  })

  it('refuses a file with a different digest, naming the file', async () => {
    await write('a')
    await writeFile(join(root, 'a', 'weights.bin'), 'other')
    await expect(ids()).rejects.toThrow(
      `${join(root, 'a', 'weights.bin')} does not belong to this snapshot: its SHA-256 is ${digest('other')}, expected ${digest('weights')}`,
    )
  })

  it('says that a truncated description was not copied whole', async () => {
    await write('a')
    await truncate(join(root, 'a', 'snapshot.json'), 100)
    await expect(ids()).rejects.toThrow(
      `${join(root, 'a', 'snapshot.json')} is not valid JSON: it was not copied completely`,
    )
  })

  it.each([
    ['2027-10-13', 'it has a mistake in line 3'],
    ['"2027-10-13",', 'it has a mistake in line 4'],
    ['soon', 'it has a mistake'],
  ])('does not say so of one with a mistake: retire_after is %s', async (date, why) => {
    await mkdir(join(root, 'a'))
    const path = join(root, 'a', 'snapshot.json')
    await writeFile(path, `{\n  "id": "a",\n  "retire_after": ${date}\n}\n`)
    await expect(ids()).rejects.toThrow(new StartError(`${path} is not valid JSON: ${why}`))
  })

  it('says that a description begins with a byte order mark, as some editors write', async () => {
    await write('a')
    const path = join(root, 'a', 'snapshot.json')
    await writeFile(path, `\uFEFF${await readFile(path, 'utf8')}`)
    await expect(ids()).rejects.toThrow(`${path} is not valid JSON: it begins with a byte order mark`)
  })

  it('refuses a file that it would open but has no digest of', async () => {
    await write('a')
    for (const name of ['MODEL_CARD.md', 'weights.bin.old']) await writeFile(join(root, 'a', name), '')
    expect(await ids()).toEqual(['a'])
    for (const name of ['state.onnx', 'more.bin', 'tokenizer.json']) {
      await writeFile(join(root, 'a', name), '')
      await expect(ids()).rejects.toThrow(
        `${join(root, 'a', 'snapshot.json')}: files lacks the SHA-256 of ${name}`,
      )
      await rm(join(root, 'a', name))
    }
  })

  it('refuses a folder whose files it may open, but not list', async ({ skip }) => {
    await write('a')
    const folder = join(root, 'a')
    await chmod(folder, 0o300)
    const listed = await readdir(folder).catch(() => null)
    const outcome = await ids().catch((fault: unknown) => fault)
    await chmod(folder, 0o700)
    skip(listed !== null, 'root may list any folder')
    expect(outcome).toEqual(new StartError(`${folder}: its files may be opened, but not listed`))
  })

  it('refuses a missing file', async () => {
    await write('a', { files: { 'state.onnx': digest('') } })
    await expect(ids()).rejects.toThrow(`${join(root, 'a', 'state.onnx')} is missing`)
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['another rendering', { rendering: 2 }, 'rendering'],
    ['a temperature of zero', { temperatures: { ...temperatures, noul: 0 } }, 'temperatures.noul'],
    [
      'a file outside the folder',
      { files: { '../b/weights.bin': digest('weights') } },
      'files.../b/weights.bin',
    ],
    ['an id that is a path', { id: '../x' }, 'id'],
    ['no room for a state', { max_state_tokens: 0 }, 'max_state_tokens'],
    ['a limit that is no number of tokens', { max_state_tokens: 1.5 }, 'max_state_tokens'],
    ['a release on no day', { released: '13.10.2026' }, 'released'],
    ['a retirement on no day', { retire_after: 'soon' }, 'retire_after'],
    ['a retirement on a day that no year has', { retire_after: '2027-02-30' }, 'retire_after'],
    ['a release on a day that its year has not', { released: '2027-02-29' }, 'released'],
  ])('refuses %s', async (_, over, place) => {
    await write('b')
    await write('a', over)
    await expect(ids()).rejects.toThrow(`snapshot.json: ${place}: `)
  })

  it('refuses a folder that is itself a snapshot', async () => {
    await write('a')
    await expect(loadSnapshots(join(root, 'a'))).rejects.toThrow(
      `${join(root, 'a')} is a snapshot: SCORER_MODELS must name the folder around it`,
    )
  })

  it('refuses a folder that is not there or has no snapshots, and the same id twice', async () => {
    await expect(loadSnapshots(join(root, 'nowhere'))).rejects.toThrow('SCORER_MODELS')
    await expect(ids()).rejects.toThrow('contains no snapshot')
    await write('a')
    await write('a', {}, 'b')
    await expect(ids()).rejects.toThrow('contains snapshot a twice: by its snapshot.json it is in a and b')
  })
})

describe('aliases', () => {
  const OLD = 'decider-preview-2026-10-13'
  const NEW = 'decider-2027-01-20'
  const both = async () => {
    await write(OLD)
    await write(NEW, { released: '2027-01-20' })
    return loadSnapshots(root)
  }

  it('of the family point to the newest snapshot', async () => {
    expect(resolveAliases(await both(), {})).toEqual({ 'decider-1': NEW, decider: NEW })
  })
  it('of the family point to the last by id of those that are equally new', async () => {
    await write('a')
    await write('b')
    const snapshots = await loadSnapshots(root)
    for (const found of [snapshots, snapshots.toReversed()])
      expect(resolveAliases(found, {})).toEqual({ 'decider-1': 'b', decider: 'b' })
  })

  it('of the family never hide a snapshot of that id', async () => {
    await write('decider-1')
    expect(resolveAliases(await both(), {})).toEqual({ decider: NEW })
  })

  it('are what the configuration says, in addition to the defaults', async () => {
    expect(resolveAliases(await both(), { 'decider-1': OLD, old: OLD })).toEqual({
      'decider-1': OLD,
      decider: NEW,
      old: OLD,
    })
  })
  it('stop the start if one names an unknown snapshot or is itself a snapshot id', async () => {
    const snapshots = await both()
    expect(() => resolveAliases(snapshots, { old: 'gone' })).toThrow('SCORER_ALIASES')
    expect(() => resolveAliases(snapshots, { [OLD]: NEW })).toThrow('SCORER_ALIASES')
  })
})
