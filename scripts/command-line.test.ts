import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './root.ts'

const run = (script: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, script), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: 30_000,
  })
  return { status, out: stdout, err: stderr }
}

describe.each([
  'scripts/dev.ts',
  'scripts/screenshots.ts',
  'scripts/fault-run.ts',
  'scripts/simulate-calibration.ts',
  'scripts/bench/calibration.ts',
  'scripts/bench/edge.ts',
  'scorer/bench/main.ts',
])('%s', script => {
  it('says in two lines how it is used, and does nothing else', () => {
    const { status, out, err } = run(script, ['--help'])
    expect({ status, err }).toEqual({ status: 0, err: '' })
    expect(out).toMatch(/^Usage: npm run .+\n.+\n$/)
  })

  it('refuses an option that it does not know, in one sentence before its usage', () => {
    const { status, out, err } = run(script, ['--colour', 'red'])
    expect({ status, out }).toEqual({ status: 2, out: '' })
    expect(err).toMatch(/^Unknown option '--colour'\.\nUsage: npm run .+\n.+\n$/)
  })
})

it.each([
  ['scripts/fault-run.ts', ['10'], "Unexpected argument '10'."],
  ['scripts/bench/edge.ts', ['KB', 'MB'], "Unexpected argument 'MB'."],
  ['scripts/bench/calibration.ts', ['many'], "'many' is not a whole number from 1."],
  ['scripts/simulate-calibration.ts', ['--fits', '0'], "'0' is not a whole number from 1."],
  ['scripts/simulate-calibration.ts', ['--worlds', 'none'], "There is no world with 'none' in its name."],
  ['scripts/simulate-calibration.ts', ['--most-examples', '100'], 'No row has as few as 100 examples.'],
  ['scripts/simulate-calibration.ts', ['--fits'], "Option '--fits <value>' argument missing."],
])('%s %j is refused, too', (script, args, why) => {
  const { status, out, err } = run(script, args)
  expect({ status, out }).toEqual({ status: 2, out: '' })
  expect(err.split('\n')[0]).toBe(why)
})

it.each([
  ['scripts/fault-run.ts', 'FAULT_REQUESTS'],
  ['scripts/bench/edge.ts', 'BENCH_PORT'],
  ['scorer/bench/main.ts', 'BENCH_ROUNDS'],
])('%s refuses a %s that is no number, before any work', (script, variable) => {
  const { status, out, err } = run(script, [], { [variable]: 'ten' })
  expect({ status, out }).toEqual({ status: 2, out: '' })
  expect(err.split('\n')[0]).toBe("'ten' is not a whole number from 1.")
})
