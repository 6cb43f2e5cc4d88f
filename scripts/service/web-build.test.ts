import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { build } from 'vite'
import { expect, it } from 'vitest'
import { ROOT } from '../root.ts'
import { buildWebIfStale, SOURCES } from './web-build.ts'

/** The error with which building the pages in such a folder is refused; its vite fails as the real one does. */
const refusalIn = async (name: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'decider-web-'))
  const root = join(folder, name)
  const vite = join(root, 'node_modules/vite/bin')
  await mkdir(vite, { recursive: true })
  await writeFile(join(vite, 'vite.js'), "throw new Error('web/src/main.tsx: no such export')")
  for (const source of SOURCES) {
    await mkdir(dirname(join(root, source)), { recursive: true })
    await writeFile(join(root, source), '')
  }
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

it('the sources are all that Vite reads for the pages', async () => {
  const read = new Set<string>()
  await build({
    configFile: join(ROOT, 'web/vite.config.ts'),
    logLevel: 'silent',
    build: { write: false },
    plugins: [
      {
        name: 'what-was-read',
        buildEnd() {
          for (const id of this.getModuleIds()) read.add(relative(ROOT, id.replace(/\?.*/, '')))
        },
      },
    ],
  })
  const own = [...read].filter(path => !/^node_modules\/|\0|^\.\./.test(path))
  expect(own).toContain('web/src/main.tsx')
  const isSource = (path: string) => SOURCES.some(source => path === source || path.startsWith(`${source}/`))
  expect(own.filter(path => !isSource(path))).toEqual([])
})
