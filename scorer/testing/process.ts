// The scorer as an operator runs it: a separate process.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SECRET } from './scorer.ts'
import { MODELS_FOLDER } from './snapshot.ts'

const MAIN = join(import.meta.dirname, '..', 'main.ts')

export type ScorerProcess = {
  child: ChildProcess
  /** Its working directory and home: anything it leaves behind, it leaves here. */
  folder: string
  /** Resolves with the address when the process listens, or with null if it ends before that. */
  url: Promise<string | null>
  /** Everything it has written so far. */
  output: () => string
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

/** `node` is the command that runs Node, if another than this process. */
export const startProcess = async (
  env: NodeJS.ProcessEnv = {},
  [command, ...args]: readonly [string, ...string[]] = [process.execPath],
): Promise<ScorerProcess> => {
  const folder = await mkdtemp(join(tmpdir(), 'scorer-'))
  const child = spawn(command, [...args, MAIN], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      SCORER_PORT: '0',
      SCORER_SECRET: SECRET,
      SCORER_MODELS: MODELS_FOLDER,
      ...env,
    },
  })
  let output = ''
  const url = new Promise<string | null>(resolve => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        const port = /"event":"listening","port":(\d+)/.exec(output)?.[1]
        if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
      })
    }
    child.once('close', () => resolve(null))
  })
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))
  return { child, folder, url, output: () => output, ended }
}
