import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { localSecrets } from './secrets.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decider-secrets-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

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

it('a damaged file is named, and nothing of it is told', async () => {
  const file = join(folder, 'secrets.json')
  await writeFile(file, '{"ADMIN_SECRET": hunter2}')
  const told = await localSecrets(folder).then(String, String)
  expect(told).toContain(`${file} is damaged`)
  expect(told).not.toContain('hunter2')
})

it('a file that is there but cannot be read is not taken for one that is missing', async () => {
  const file = join(folder, 'secrets.json')
  await mkdir(file)
  await expect(localSecrets(folder)).rejects.toThrow(`${file} cannot be read`)
})
