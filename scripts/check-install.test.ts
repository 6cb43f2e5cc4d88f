import { spawnSync } from 'node:child_process'
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { newFolder } from '../test/folder.ts'

const SCRIPT = join(import.meta.dirname, 'check-install.js')

let elsewhere: string
beforeEach(async () => {
  elsewhere = await newFolder()
})

const run = (command: string, args: string[], env: NodeJS.ProcessEnv = {}) => {
  const { status, stdout, stderr } = spawnSync(command, args, {
    encoding: 'utf8',
    cwd: elsewhere,
    env: { ...process.env, ...env },
  })
  return { status, said: stdout + stderr }
}

/** Files of the repository in a folder without the rest. */
const copyOf = async (...files: string[]) => {
  for (const file of files) await copyFile(join(import.meta.dirname, '..', file), join(elsewhere, file))
}

const check = (...args: string[]) => run(process.execPath, args)

describe('the check of an installation', () => {
  it('is what npm run dev and npm test begin with', async () => {
    const { scripts } = JSON.parse(await readFile(join(import.meta.dirname, '../package.json'), 'utf8'))
    for (const command of [scripts.dev, scripts.test])
      expect(command).toMatch(/^node scripts\/check-install\.js && /)
  })

  it('says nothing about a whole installation', () => {
    expect(check(SCRIPT)).toEqual({ status: 0, said: '' })
  })

  it('names the command that brings the right Node, if this one cannot read TypeScript', () => {
    const { status, said } = check('--no-strip-types', SCRIPT)
    expect(status).toBe(1)
    expect(said).toMatch(/^This Node is too old.+`npm ci --ignore-scripts=false`\.\n$/)
  })

  it('names NODE_OPTIONS, if that is why this Node does not read TypeScript', () => {
    const { status, said } = run(process.execPath, [SCRIPT], {
      NODE_OPTIONS: '--no-experimental-strip-types',
    })
    expect(status).toBe(1)
    expect(said).toMatch(/^NODE_OPTIONS keeps Node from reading TypeScript: .+\.\n$/)
  })

  it('finds Vite’s binaries also where a user’s settings of npm omit what is optional', async () => {
    await copyOf('package.json', 'package-lock.json', '.npmrc')
    const omitting = { npm_config_omit: 'optional', npm_config_cache: elsewhere }
    const { status, said } = run('npm', ['ci', '--dry-run', '--offline'], omitting)
    expect(status).toBe(0)
    expect(said).toMatch(/^add @rolldown\/binding-/m)
  })

  it('succeeds with the oldest Node, which some packages do not name, also where a user’s npm is strict', async () => {
    await copyOf('.npmrc')
    await writeFile(join(elsewhere, 'theirs'), 'engine-strict=true')
    const strict = { npm_config_userconfig: join(elsewhere, 'theirs'), npm_config_engine_strict: undefined }
    expect(run('npm', ['config', 'get', 'engine-strict'], strict).said).toMatch(/^false$/m)
  })

  it('says which Node npm needs, if it left out a part of Vite', async () => {
    const alone = join(elsewhere, 'check-install.mjs')
    await copyFile(SCRIPT, alone)
    const { status, said } = check(alone)
    expect(status).toBe(1)
    expect(said).toMatch(/^A part of Vite is missing: run `npm ci`, with Node 20\.19, 22\.12 or newer\.\n$/)
  })
})
