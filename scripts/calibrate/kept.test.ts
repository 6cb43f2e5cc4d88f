import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import type { CalibrationResponse } from '../../src/calibration/wire.ts'
import { usageOf } from '../../src/decision/usage.ts'
import { serverOf } from '../../src/testing/server.ts'
import { newFolder } from '../../test/folder.ts'

const PROFILE = 'calp1.k1.AAAA'
const EXAMPLE = '{"state":"é 😀"}'
const figures = { accuracy: 0.8, ece: 0.1, brier: 0.3, nll: 0.6, mean_confidence: 0.9, n: 200, cutoff: null }
const fitted: CalibrationResponse = {
  object: 'calibration',
  model: 'decider-preview-2026-10-13',
  target_error: 0.05,
  profile: PROFILE,
  n_examples: 200,
  questions: [
    {
      ...{ signature: 'ab', type: 'noul', question_ids: ['ok'], status: 'fitted' },
      before: { ...figures, coverage: 1 },
      after: {
        ...figures,
        ...{ coverage: 0, temperature: 2, coverage_at_target_error: 0, error_when_covered: null },
      },
    },
  ],
  note: 'A note.',
  usage: { ...usageOf([]), input_tokens: 12_345, cost_usd: 0.0012345 },
}
let arrived = ''
let url = ''
let examples = ''
let profile = ''
let report = ''

beforeEach(async () => {
  url = await serverOf(async (request, response) => {
    arrived = await text(request)
    // Long enough that nobody could take its milliseconds for seconds.
    await pause(100)
    response.end(JSON.stringify(fitted))
  })
  const folder = await newFolder()
  examples = join(folder, 'examples.jsonl')
  profile = join(folder, 'profile.txt')
  report = join(folder, 'report.html')
  await writeFile(examples, `${EXAMPLE}\n`)
})

/** Fits a profile, with the output of the program redirected as a shell would. */
const run = (redirection = '') =>
  promisify(execFile)(
    'sh',
    [
      ...['-c', `exec "$@" ${redirection}`, 'sh', process.execPath],
      join(import.meta.dirname, '..', 'calibrate.ts'),
      ...[examples, '--profile', profile, '--report', report],
    ],
    { env: { DECIDER_URL: url, DECIDER_API_KEY: 'a_key' } },
  )

describe('npm run calibrate, what was paid for', () => {
  const nowhere = (file: string) => join(file, 'no', 'such', 'folder')
  const noSuchFolder = { code: 1, stderr: expect.stringContaining('ENOENT') }

  it('keeps the profile where the report cannot be written', async () => {
    report = nowhere(report)
    await expect(run()).rejects.toMatchObject({
      ...noSuchFolder,
      stdout: expect.stringContaining(`Profile: ${profile}`),
    })
    expect(await readFile(profile, 'utf8')).toBe(PROFILE)
  })

  it('writes the token alone, so that the file can be sent as it is, like the examples', async () => {
    await run()
    expect(arrived).toBe(`{"examples":[${EXAMPLE}],"curves":true,"target_error":0.05}`)
    expect(await readFile(profile, 'utf8')).toBe(PROFILE)
  })

  it('is said with what it cost and where it is kept', async () => {
    const said = (await run()).stdout.split('\n')
    expect(said[4]).toMatch(/^ok +200 +fitted /)
    expect(said.slice(-4)).toEqual([
      expect.stringMatching(/^200 examples in \d{1,2}\.\d s, 12,345 tokens, \$0\.001234\.$/),
      expect.stringContaining(`Profile: ${profile} (`),
      `Report: ${report}`,
      '',
    ])
  })

  it('says of an earlier profile that it was replaced', async () => {
    expect((await run()).stdout).not.toContain('replaced')
    await writeFile(profile, 'calp1.k1.BBBB')
    expect((await run()).stdout).toMatch(/^Profile: .*\n {2}It replaced an earlier profile\.$/m)
    expect(await readFile(profile, 'utf8')).toBe(PROFILE)
  })

  it('says of a profile without any cutoff that it answers nothing', async () => {
    expect((await run()).stdout).toMatch(/^Profile: .* answers nothing: no question has a cutoff\)$/m)
  })

  it('keeps the report, and the profile in it, where the profile cannot be written', async () => {
    profile = nowhere(profile)
    await expect(run()).rejects.toMatchObject(noSuchFolder)
    expect(await readFile(report, 'utf8')).toContain(PROFILE)
  })

  it('prints the profile, and says what is wrong with each file, where neither can be written', async () => {
    profile = nowhere(profile)
    report = nowhere(report)
    const { code, stderr } = await run().catch(error => error)
    expect(code).toBe(1)
    expect(stderr).toMatch(/^The profile could not be written \(ENOENT.+profile\.txt\/.+'\)\. It is:$/m)
    expect(stderr).toMatch(
      new RegExp(`^${PROFILE}\\nThe report could not be written \\(ENOENT.+report.html/.+'\\)\\.$`, 'm'),
    )
  })

  it.runIf(process.platform === 'linux')('says which of the files found no room', async () => {
    report = '/dev/full'
    await expect(run()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The report could not be written (ENOSPC'),
    })
  })

  it('keeps both, without complaint, where nobody reads what it says', async () => {
    expect((await run('| true')).stderr).not.toContain('could not be written')
    expect(await readFile(profile, 'utf8')).toBe(PROFILE)
    expect(await readFile(report, 'utf8')).toContain(PROFILE)
  })

  it.runIf(process.platform === 'linux')('keeps both where what it says finds no room', async () => {
    await expect(run('>/dev/full')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The output could not be written: ENOSPC.'),
    })
    expect(await readFile(profile, 'utf8')).toBe(PROFILE)
    expect(await readFile(report, 'utf8')).toContain(PROFILE)
    await run('2>/dev/full')
  })
})
