import { execFile } from 'node:child_process'
import { readdir, writeFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it } from 'vitest'
import { sealProfile } from '../../src/profiles/profile.ts'
import { serverOf } from '../../src/testing/server.ts'
import { newFolder } from '../../test/folder.ts'

/** Says yes to everything but a state that is too long, and is sure enough of it, unless the profile is another one. */
const service: RequestListener = async (request, response) => {
  const body = await text(request)
  arrived.push(body)
  if (body.includes('"too long"'))
    return response.writeHead(422).end('{"error":{"code":"state_too_long","message":"state is too long"}}')
  const abstain = body.includes('"calp1.k1.AAAA"') ? false : null
  const yes = { logits: { false: -2, true: 2 }, decider: { abstain } }
  const usage = { input_tokens: 1_000, cost_usd: 0.0001 }
  response.end(
    JSON.stringify({ object: 'altdecisions.response', model: 'a-snapshot', answers: { q: yes }, usage }),
  )
}
let arrived: string[] = []
let url = ''
let folder = ''

beforeEach(async () => {
  arrived = []
  url = await serverOf(service)
  folder = await newFolder()
})

const check = async (lines: readonly string[], profile = 'calp1.k1.AAAA\n', args: readonly string[] = []) => {
  await writeFile(join(folder, 'profile.txt'), profile)
  return calibrate(lines, ['--check', 'profile.txt', '--target-error', '0.1', ...args])
}

const calibrate = async (lines: readonly string[], args: readonly string[]) => {
  await writeFile(join(folder, 'fresh.jsonl'), lines.join('\n'))
  const script = join(import.meta.dirname, '..', 'calibrate.ts')
  return promisify(execFile)(process.execPath, [script, 'fresh.jsonl', ...args], {
    cwd: folder,
    env: { DECIDER_URL: url, DECIDER_API_KEY: 'a_key' },
  })
}

/** Examples about different states, of which the service gets the first ones wrong. */
const examples = (count: number, wrong: number): string[] =>
  Array.from(
    { length: count },
    (_, at) => `{"state":${at},"questions":{"q":{"type":"noul","label":${at >= wrong}}}}`,
  )

describe('npm run calibrate --check', () => {
  it('sends state and questions as they are in the file, but no label and nothing else', async () => {
    const asked = '"type":"choice","criteria":{"true":{"10":1.0,"2":null},"false":null}'
    await check(
      [
        `{"note":"mine","state":{"10":1,"2":12345678901234567890},"questions":{"q":{${asked},"label":"true"}}}`,
      ],
      undefined,
      ['--model', 'a-snapshot'],
    )
    expect(arrived).toEqual([
      `{"state":{"10":1,"2":12345678901234567890},"questions":{"q":{${asked}}},"calibration":"calp1.k1.AAAA","model":"a-snapshot"}`,
    ])
  })

  it('asks the snapshot that the profile is of, unless another is named', async () => {
    const key = { id: 'k1', secret: new Uint8Array(32) }
    const profile = sealProfile({ snapshot: 'tickets-1', rules: new Map() }, key)
    for (const args of [[], ['--model', 'decider-1']])
      await expect(check(examples(1, 0), profile, args)).rejects.toMatchObject({ code: 2 })
    expect(arrived.map(body => JSON.parse(body).model)).toEqual(['tickets-1', 'decider-1'])
  })

  it('prints what it found and what it cost, writes no file, and ends with 0 if the target is kept', async () => {
    const { stdout } = await check(examples(60, 1))
    expect(stdout).toMatch(/^a-snapshot, target error 10\.0%$/m)
    expect(stdout).toMatch(/^q +60 .* 100\.0% +1\.7% \(1 of 60\) .* keeps to its target$/m)
    expect(stdout).toMatch(/^60 examples in \d{1,2}\.\d s, 60,000 tokens, \$0\.006000\.$/m)
    expect((await readdir(folder)).toSorted()).toEqual(['fresh.jsonl', 'profile.txt'])
  })

  it('ends with 0 if a question is undecided', async () => {
    expect((await check(examples(5, 0))).stdout).toContain('undecided')
  })

  it('lists the lines of the wrong answers that were let through', async () => {
    expect((await check(['', ...examples(60, 2)])).stdout).toMatch(
      /^q, let through and wrong, surest first: lines 2, 3$/m,
    )
  })

  it('ends with 2 if a question calls for another fit', async () => {
    await expect(check(examples(60, 20))).rejects.toMatchObject({
      code: 2,
      stdout: expect.stringContaining('more wrong than the target allows: fit again'),
    })
  })

  it('ends with 2 if the profile does not cover a question', async () => {
    await expect(check(examples(60, 0), 'calp1.k1.BBBB')).rejects.toMatchObject({
      code: 2,
      stdout: expect.stringContaining('not covered by the profile: fit again'),
    })
  })

  it('names the profile where it cannot be read, before anything is sent', async () => {
    const args = ['--check', '.', '--target-error', '0.1']
    await expect(calibrate(examples(1, 0), args)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^\. cannot be read \(EISDIR/),
    })
    expect(arrived).toEqual([])
  })

  it('refuses a wrong label with its line, and an empty file, before anything is sent', async () => {
    const wrong = '{"state":"x","questions":{"q":{"type":"noul","label":"yes"}}}'
    await expect(check([...examples(3, 0), '', wrong])).rejects.toMatchObject({
      code: 1,
      stderr: 'Line 5: 422 invalid_schema: examples.3.questions.q.label must be true or false\n',
    })
    await expect(check([''])).rejects.toMatchObject({ code: 1, stderr: 'The file has no examples.\n' })
    expect(arrived).toEqual([])
  })

  it('names the line of an example that only the service can refuse', async () => {
    const long = '{"state":"too long","questions":{"q":{"type":"noul","label":true}}}'
    await expect(check([...examples(3, 0), '', long])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Line 5: 422 state_too_long: state is too long$/m),
    })
  })
})

describe('npm run calibrate --score', () => {
  it('asks without a profile, and of the default model unless another is named', async () => {
    await calibrate(examples(1, 0), ['--score'])
    await calibrate(examples(1, 0), ['--score', '--model', 'a-snapshot'])
    const asked = '"state":0,"questions":{"q":{"type":"noul"}}'
    expect(arrived).toEqual([`{${asked}}`, `{${asked},"model":"a-snapshot"}`])
  })

  it('lists the lines of the wrong answers, if there are any', async () => {
    expect((await calibrate(['', ...examples(3, 2)], ['--score'])).stdout).toMatch(
      /^a-snapshot, without a profile\n(.*\n)+q +3 +33\.3% .*\n\nq, wrong, surest first: lines 2, 3\n\n3 examples/,
    )
    expect((await calibrate(examples(3, 0), ['--score'])).stdout).toMatch(/^q +3 +100\.0% .*\n\n3 examples/m)
  })
})
