import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { ROOT } from '../scripts/root.ts'

type Where = { cwd?: string; env?: NodeJS.ProcessEnv }

/** What a program prints that knows the running service and a key; rejects if it fails. */
export const run = async (
  command: string,
  args: readonly string[],
  { cwd = ROOT, env = {} }: Where = {},
): Promise<string> => {
  const { url, keys } = inject('service')
  // With FORCE_COLOR set, output is coloured even in a pipe.
  const told = { FORCE_COLOR: undefined, DECIDER_URL: url, DECIDER_API_KEY: keys.standard }
  return (await promisify(execFile)(command, args, { cwd, env: { ...process.env, ...told, ...env } })).stdout
}

export const runShell = (code: string, where?: Where): Promise<string> => run('sh', ['-c', code], where)

export const runTypeScript = (code: string, where?: Where): Promise<string> =>
  run(process.execPath, ['--input-type=module-typescript', '--eval', code], where)
