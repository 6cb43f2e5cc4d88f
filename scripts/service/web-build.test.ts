import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { build } from 'vite'
import { expect, it } from 'vitest'
import { newFolder } from '../../test/folder.ts'
import { ROOT } from '../root.ts'
import { buildWebIfStale, SOURCES } from './web-build.ts'

/** A repository in a folder of that name; its vite fails as the real one does. */
const repositoryIn = async (name: string): Promise<string> => {
  const root = join(await newFolder(), name)
  const vite = join(root, 'node_modules/vite/bin')
  await mkdir(vite, { recursive: true })
  await writeFile(join(vite, 'vite.js'), "throw new Error('web/src/main.tsx: no such export')")
  for (const source of SOURCES) {
    await mkdir(dirname(join(root, source)), { recursive: true })
    await writeFile(join(root, source), '')
  }
  return root
}

/** The error with which building the pages in such a folder is refused. */
const refusalIn = async (name: string): Promise<string> =>
  buildWebIfStale(await repositoryIn(name)).then(String, (fault: Error) => fault.message)

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

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000)

/** A repository whose pages were built two hours ago, from sources that were an hour old. */
const repositoryWithPages = async () => {
  const root = await repositoryIn('repository')
  const source = join(root, 'src/calibration/limits.ts')
  const built = join(root, 'dist/web/index.html')
  await rm(join(root, 'src'))
  for (const file of [source, built]) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, '')
  }
  for (const path of [...SOURCES.map(one => join(root, one)), dirname(source), source])
    await utimes(path, hoursAgo(3), hoursAgo(3))
  await utimes(built, hoursAgo(2), hoursAgo(2))
  return { root, source, built }
}

it.each([
  ['is newer', (source: string, at: Date) => utimes(source, at, at)],
  ['is gone', (source: string) => rm(source)],
])('pages are built again only if one of their sources %s', async (_, change) => {
  const { root, source } = await repositoryWithPages()
  await buildWebIfStale(root)
  await change(source, hoursAgo(1))
  await expect(buildWebIfStale(root)).rejects.toThrow('The pages could not be built.')
})

it('pages that were built while the clock was ahead are built again', async () => {
  const { root, built } = await repositoryWithPages()
  await utimes(built, hoursAgo(-1), hoursAgo(-1))
  await expect(buildWebIfStale(root)).rejects.toThrow('The pages could not be built.')
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
