import { spawnSync } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const SCRIPT = join(import.meta.dirname, 'check-install.js')

let elsewhere: string
beforeEach(async () => {
  elsewhere = await mkdtemp(join(tmpdir(), 'decider-install-'))
})
afterEach(() => rm(elsewhere, { recursive: true }))

const check = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { status, said: stdout + stderr }
}

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

  it('says which Node npm needs, if it left out a part of Vite', async () => {
    const alone = join(elsewhere, 'check-install.mjs')
    await copyFile(SCRIPT, alone)
    const { status, said } = check(alone)
    expect(status).toBe(1)
    expect(said).toMatch(/^A part of Vite is missing: run `npm ci`, with Node 20\.19, 22\.12 or newer\.\n$/)
  })
})
