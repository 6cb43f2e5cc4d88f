import { execFile } from 'node:child_process'
import { access, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, expect, it, vi } from 'vitest'
import { newFolder } from '../../test/folder.ts'
import { lockFolder } from './lock.ts'

let folder: string
beforeEach(async () => {
  folder = await newFolder()
})

const heldBy = (holder: string | number) => writeFile(join(folder, 'lock'), `${holder}\n`)

it('a folder is made for its owner alone, taken and given back', async () => {
  const nested = join(folder, 'not yet there')
  const release = await lockFolder(nested)
  expect(Number(await readFile(join(nested, 'lock'), 'utf8'))).toBe(process.pid)
  expect((await stat(nested)).mode & 0o777).toBe(0o700)
  await release()
  await expect(access(join(nested, 'lock'))).rejects.toThrow()
  // Somebody may have deleted it, as a refusal suggests.
  await release()
})

it('a folder that a living process holds is refused, naming the process', async () => {
  await heldBy(process.ppid)
  await expect(lockFolder(folder)).rejects.toThrow(`DATA_DIR is in use by process ${process.ppid}. `)
  // Process ids are reused, for example after a power cut: nobody should stop another program in place of ours.
  await expect(lockFolder(folder)).rejects.toThrow(`${join(folder, 'lock')}: delete the file`)
})

it('a process of another user, which cannot be signalled, counts as living', async () => {
  await heldBy(process.ppid)
  vi.spyOn(process, 'kill').mockImplementationOnce(() => {
    throw Object.assign(new Error('kill EPERM'), { code: 'EPERM' })
  })
  await expect(lockFolder(folder)).rejects.toThrow(`DATA_DIR is in use by process ${process.ppid}. `)
})

// In a container, this start may well have the id of the last.
it.each(['4194399', 'nonsense', '', '-1', process.pid])(
  'a lock that nobody holds counts for nothing: %j',
  async holder => {
    await heldBy(holder)
    await (await lockFolder(folder))()
  },
)

it.each([
  ['in place of an abandoned one', '4194399'],
  ['where there was none', null],
])('a start whose lock another has removed does not go on: %s', async (_, found) => {
  if (found !== null) await heldBy(found)
  const first = lockFolder(folder)
  await vi.waitFor(
    async () => expect(Number(await readFile(join(folder, 'lock'), 'utf8'))).toBe(process.pid),
    { interval: 1 },
  )
  await heldBy(process.ppid)
  await expect(first).rejects.toThrow('taken by another start a moment ago')
  expect(Number(await readFile(join(folder, 'lock'), 'utf8'))).toBe(process.ppid)
})

it('a folder that cannot be one is refused by the name of its setting', async () => {
  const file = join(folder, 'a file')
  await writeFile(file, '')
  await expect(lockFolder(file)).rejects.toThrow(/^DATA_DIR must be a writable folder: EEXIST/)
})

it.runIf(process.platform === 'linux')('a folder where nothing can be made is refused, too', async () => {
  // In a process of its own: what waits for ever takes whatever runs beside it along.
  const script = `
    const { lockFolder } = await import(${JSON.stringify(join(import.meta.dirname, 'lock.ts'))})
    await lockFolder('/proc/decider/data').catch(({ message }) => console.log(message))`
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    timeout: 20_000,
    killSignal: 'SIGKILL',
  })
  expect((await run).stdout).toMatch(
    /^DATA_DIR must be a writable folder: ENOENT.+mkdir '\/proc\/decider'\.\n$/,
  )
})

it.runIf(process.platform === 'linux')(
  'a folder that is there but takes no file is refused, too',
  async () => {
    await expect(lockFolder('/proc')).rejects.toThrow(
      /^DATA_DIR must be a writable folder: E.+open '\/proc\/lock'/,
    )
  },
)

it('a folder behind a link is taken', async () => {
  await mkdir(join(folder, 'real'))
  await symlink(join(folder, 'real'), join(folder, 'link'))
  await (await lockFolder(join(folder, 'link')))()
})
