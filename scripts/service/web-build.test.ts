import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { buildWebIfStale } from './web-build.ts'

/** The error with which building the pages in such a folder is refused; its vite fails as the real one does. */
const refusalIn = async (name: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'decider-web-'))
  const root = join(folder, name)
  const vite = join(root, 'node_modules/vite/bin')
  await mkdir(vite, { recursive: true })
  await writeFile(join(vite, 'vite.js'), "throw new Error('web/src/main.tsx: no such export')")
  for (const source of ['web', 'src', 'package-lock.json']) await writeFile(join(root, source), '')
  const refusal = await buildWebIfStale(root).then(String, (fault: Error) => fault.message)
  await rm(folder, { recursive: true })
  return refusal
}

it.each(['C#', 'what?', 'a*b', 'a\\\\b'])('a path in which Vite fails is named: %s', async name => {
  expect(await refusalIn(name)).toMatch(
    /^Vite cannot build the pages in .+\. Move the repository to a path without #, \?, \* and \\\.$/,
  )
})

it('pages that cannot be built say why, and not from where in Vite', async () => {
  const refusal = await refusalIn("it's 100% é")
  expect(refusal).toMatch(/^The pages could not be built\.\n/)
  expect(refusal).toContain('web/src/main.tsx: no such export')
  expect(refusal).not.toMatch(/^ +at /m)
})
