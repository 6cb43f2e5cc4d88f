import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { SettingError } from './settings.ts'

/** Longer than a start takes from reading a lock that is abandoned, or not written yet, to removing it. */
const SETTLE_MS = 200

/**
 * Locks a data folder for this process: a Gate or an account that ran twice would lose what the other wrote. Returns
 * the function that releases it. The lock of a process that is gone is ignored.
 */
export const lockFolder = async (folder: string): Promise<() => Promise<void>> => {
  await makeFolder(folder).catch(unusable)
  const file = join(folder, 'lock')
  const release = () => rm(file, { force: true })
  if (await taken(file)) {
    const holder = await holderOf(file)
    if (isRunning(holder)) {
      throw new SettingError(
        `DATA_DIR is in use by process ${holder}. Stop that process, or set DATA_DIR to another folder. If process ${holder} is another program, a start that crashed left ${file}: delete the file.`,
      )
    }
    await release()
    // If another start is faster here, our lock is lost.
    await taken(file)
  }
  if (await isLost(file)) throw new SettingError('DATA_DIR was taken by another start a moment ago.')
  return release
}

/** Makes a folder and those it is in. Node's own way never ends where nothing can be made, such as in /proc. */
const makeFolder = async (folder: string): Promise<void> => {
  const make = () => mkdir(folder, { mode: 0o700 })
  try {
    await make().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' || dirname(folder) === folder) throw error
      await makeFolder(dirname(folder))
      await make()
    })
  } catch (error) {
    // Another start may have made it meanwhile.
    if (!(await stat(folder).catch(() => null))?.isDirectory()) throw error
  }
}

const unusable = ({ message }: Error): never => {
  throw new SettingError(`DATA_DIR must be a writable folder: ${message}.`)
}

const taken = async (file: string): Promise<boolean> => {
  try {
    await writeFile(file, `${process.pid}\n`, { flag: 'wx', mode: 0o600 })
    return false
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return true
    return unusable(error as Error)
  }
}

const holderOf = async (file: string): Promise<number> => Number(await readFile(file, 'utf8').catch(() => ''))

/** Whether another start has removed our lock: it may have found the same abandoned one, or ours before its id was in it. */
const isLost = async (file: string): Promise<boolean> => {
  await pause(SETTLE_MS)
  return (await holderOf(file)) !== process.pid
}

const isRunning = (pid: number): boolean => {
  if (pid <= 0 || pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
