import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { newFolder } from '../../test/folder.ts'
import { localSecrets } from './secrets.ts'

let folder: string
beforeEach(async () => {
  folder = await newFolder()
})

it('secrets are made once, in a file that is their owner’s alone', async () => {
  const made = await localSecrets(folder)
  expect(await localSecrets(folder)).toEqual(made)
  expect(await readdir(folder)).toEqual(['secrets.json'])
  expect((await stat(join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600)
})

it('a start that was killed before it had written them all does not keep the next from it', async () => {
  await writeFile(join(folder, 'secrets.json.new'), '{"ADMIN_')
  const made = await localSecrets(folder)
  expect(await localSecrets(folder)).toEqual(made)
})

it.each(['{"ADMIN_SECRET": hunter2}', '', 'null', '{"ADMIN_SECRET":"hunter2"}'])(
  'a damaged file is named, and nothing of it is told or replaced: %s',
  async damaged => {
    const file = join(folder, 'secrets.json')
    await writeFile(file, damaged)
    const told = await localSecrets(folder).then(String, String)
    expect(told).toContain(`${file} is damaged`)
    expect(told).not.toContain('hunter2')
    expect(await readFile(file, 'utf8')).toBe(damaged)
  },
)

it('a file that is there but cannot be read is not taken for one that is missing', async () => {
  const file = join(folder, 'secrets.json')
  await mkdir(file)
  await expect(localSecrets(folder)).rejects.toThrow(`${file} cannot be read`)
})
