import { createHash } from 'node:crypto'
import { open, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as v from 'valibot'
import { StartError } from '../../start-error.ts'
import { Description } from './description.ts'
import { readJson } from './read-json.ts'

export type Snapshot = { readonly folder: string; readonly description: Description }

/** What file systems keep at the root of a volume, which a folder of snapshots may be. */
const OF_THE_SYSTEM = /^(\..*|lost\+found)$/
const PORTION_BYTES = 256 * 1024

/** Loads every snapshot in a folder of snapshots or links to them, and checks each file against its digest. */
export const loadSnapshots = async (root: string): Promise<Snapshot[]> => {
  const entries = await readdir(root, { withFileTypes: true }).catch(() => {
    throw new StartError(`${root} cannot be read: SCORER_MODELS must name a folder of snapshots`)
  })
  const folders = entries.filter(
    entry => (entry.isDirectory() || entry.isSymbolicLink()) && !OF_THE_SYSTEM.test(entry.name),
  )
  const names = folders.map(entry => entry.name)
  const snapshots = await Promise.all(names.sort().map(name => loadSnapshot(join(root, name))))
  if (snapshots.length === 0) {
    const why = entries.some(entry => entry.name === 'snapshot.json')
      ? 'is a snapshot: SCORER_MODELS must name the folder around it'
      : 'contains no snapshot'
    throw new StartError(`${root} ${why}`)
  }
  refuseTwins(root, snapshots)
  return snapshots
}

/** A copied folder keeps the id of what it was copied from, whatever it is called. */
const refuseTwins = (root: string, snapshots: readonly Snapshot[]): void => {
  const folders = new Map<string, string>()
  for (const { folder, description } of snapshots) {
    const { id } = description
    const other = folders.get(id)
    if (other !== undefined) {
      const both = `${basename(other)} and ${basename(folder)}`
      throw new StartError(`${root} contains snapshot ${id} twice: by its snapshot.json it is in ${both}`)
    }
    folders.set(id, folder)
  }
}

const loadSnapshot = async (folder: string): Promise<Snapshot> => {
  const description = readDescription(folder)
  for (const [name, expected] of Object.entries(description.files)) {
    const path = join(folder, name)
    const found = await sha256(path)
    if (found === null) throw new StartError(`${path} is missing or cannot be read`)
    if (found !== expected) {
      throw new StartError(
        `${path} does not belong to this snapshot: its SHA-256 is ${found}, expected ${expected}`,
      )
    }
  }
  await refuseUnlisted(folder, description)
  return { folder, description }
}

/** What the engine opens: graphs, weights and the tokenizer. */
const OPENED = /\.(onnx|bin|json)$/

/** A file without a digest could be any file. */
const refuseUnlisted = async (folder: string, { files }: Description): Promise<void> => {
  const names = await readdir(folder).catch(() => {
    throw new StartError(`${folder}: its files may be opened, but not listed`)
  })
  const unlisted = names.find(
    name => OPENED.test(name) && name !== 'snapshot.json' && !Object.hasOwn(files, name),
  )
  if (unlisted !== undefined)
    throw new StartError(`${join(folder, 'snapshot.json')}: files lacks the SHA-256 of ${unlisted}`)
}

const readDescription = (folder: string): Description => {
  const path = join(folder, 'snapshot.json')
  const read = v.safeParse(Description, readJson(path), { abortEarly: true })
  if (read.success) return read.output
  throw new StartError(`${path}: ${v.getDotPath(read.issues[0]) ?? 'file'}: ${read.issues[0].message}`)
}

/** Reads through one buffer: a stream's buffers would still lie about when the process's memory is measured next. */
const sha256 = async (path: string): Promise<string | null> => {
  const hash = createHash('sha256')
  const portion = Buffer.allocUnsafe(PORTION_BYTES)
  try {
    await using file = await open(path)
    for (;;) {
      const { bytesRead } = await file.read(portion)
      if (bytesRead === 0) return hash.digest('hex')
      hash.update(portion.subarray(0, bytesRead))
    }
  } catch {
    return null
  }
}
