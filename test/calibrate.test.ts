import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { ROOT } from '../scripts/root.ts'
import { serverOf } from '../src/testing/server.ts'
import { requestDecision } from './request-decision.ts'

const { url, keys } = inject('service')

type Decision = {
  answers: Record<
    string,
    {
      logits: Record<string, number>
      probabilities: Record<string, number>
      decider: { calibrated: boolean; abstain: boolean | null; p_top: number }
    }
  >
  usage: { input_tokens: number; framing_tokens: number }
}

const run = (args: string[], env: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, [join(ROOT, 'scripts', 'calibrate.ts'), ...args], {
    env: { DECIDER_URL: url, DECIDER_API_KEY: keys.standard, ...env },
  })

const decide = async (body: object): Promise<{ status: number; answer: Decision }> => {
  const response = await requestDecision(body)
  return { status: response.status, answer: (await response.json()) as Decision }
}

let folder = ''
let output = ''
let profile = ''
let page = ''
let lines: string[] = []
/** As many examples as in `lines`, which the profile was not fitted on. */
let fresh: string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'decider-calibrate-'))
  const tickets = await readFile(join(ROOT, 'examples', 'support-tickets.jsonl'), 'utf8')
  lines = tickets.split('\n').slice(0, 200)
  fresh = tickets.split('\n').slice(200, 400)
  const examples = join(folder, 'examples.jsonl')
  await writeFile(examples, lines.join('\n'))
  const to = ['--report', join(folder, 'report.html'), '--profile', join(folder, 'profile.txt')]
  output = (await run([examples, '--target-error', '0.2', ...to])).stdout
  profile = await readFile(join(folder, 'profile.txt'), 'utf8')
  page = await readFile(join(folder, 'report.html'), 'utf8')
}, 300_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('npm run calibrate', () => {
  it('prints its usage when asked, and fails without arguments', async () => {
    expect((await run(['--help'])).stdout).toContain('Usage: npm run calibrate')
    await expect(run([])).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('Usage') })
  })

  it('prints the report and writes the page and the profile', () => {
    for (const id of ['team', 'urgent', 'mood'])
      expect(output).toMatch(new RegExp(`^${id} +200 +fitted`, 'm'))
    expect(output).toMatch(/profile\.txt \(send it as "calibration", with "model": "decider-[\w-]+"\)$/m)
    expect(profile).toMatch(/^calp1\.[\w-]+\.[\w-]+$/)
    expect(page).toContain(profile)
    expect(page.match(/<svg /g)).toHaveLength(9)
  })

  it.each([
    ['', 'Set DECIDER_API_KEY'],
    ['sk_decider_…', 'only letters, digits and underscores'],
  ])('says what is wrong with the key "%s"', async (key, said) => {
    await expect(run(['examples/support-tickets.jsonl'], { DECIDER_API_KEY: key })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(said),
    })
  })

  it.each([
    [404, '{"error": {"code": "not_found"}}'],
    [404, '{"error": "not found"}'],
    [200, '<html>sign in</html>'],
    [200, '{"ok": true}'],
  ])('says so if another service answers, with %i %s', async (status, answer) => {
    const stranger = await serverOf((_, response) => response.writeHead(status).end(answer))
    const refused = run(['examples/support-tickets.jsonl', '--url', stranger])
    await expect(refused).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${status} no_answer: the server that answered is not Decider`),
    })
  })

  it('makes a profile that scales the questions it was fitted on, at no extra cost', async () => {
    const { state, questions } = JSON.parse(lines[0] ?? '{}')
    const asked = Object.fromEntries(
      Object.entries<{ label: unknown }>(questions).map(([id, { label: _, ...question }]) => [id, question]),
    )
    const unseen = { type: 'noul', instructions: 'The customer mentions a dog' }
    const body = { state, questions: { ...asked, unseen } }
    const raw = (await decide(body)).answer
    const scaled = (await decide({ ...body, calibration: profile })).answer
    for (const id of ['team', 'urgent', 'mood']) {
      const before = Object.values(raw.answers[id]?.logits ?? {})
      const after = Object.values(scaled.answers[id]?.logits ?? {})
      const temperatures = before.map((logit, option) => logit / (after[option] ?? Number.NaN))
      expect(scaled.answers[id]?.decider.calibrated).toBe(true)
      expect(scaled.answers[id]?.decider.abstain).toEqual(expect.any(Boolean))
      for (const temperature of temperatures) expect(temperature).toBeCloseTo(temperatures[0] ?? 0, 6)
    }
    expect(scaled.answers.unseen).toEqual(raw.answers.unseen)
    expect(scaled.usage.input_tokens).toBe(raw.usage.input_tokens)
  })

  it('corrects how the model leans, if told to, and keeps to the target on fresh labels', async () => {
    const [examples, file] = [join(folder, 'examples.jsonl'), join(folder, 'unseen.jsonl')]
    const corrected = join(folder, 'corrected.txt')
    await writeFile(file, fresh.join('\n'))
    const to = ['--report', join(folder, 'corrected.html'), '--profile', corrected]
    const fit = await run([examples, '--target-error', '0.1', '--offsets', ...to])
    expect(fit.stdout).toMatch(/^team +200 +fitted +\d+\.\d% → \d+\.\d%/m)
    const written = await readFile(join(folder, 'corrected.html'), 'utf8')
    for (const name of ['billing', 'true', 'false', '2'])
      expect(written).toContain(`<th>Offset of ${name}</th>`)
    const { stdout } = await run([file, '--check', corrected, '--target-error', '0.1'])
    const [, right = 0] = /^team +200 +([\d.]+)%/m.exec(stdout) ?? []
    expect(Number(right)).toBeGreaterThan(90)
    expect(stdout).not.toContain('more wrong than')
  }, 120_000)

  it('finds on fresh labels that the profile keeps to its target', async () => {
    const file = join(folder, 'fresh.jsonl')
    await writeFile(file, fresh.join('\n'))
    const check = ['--check', join(folder, 'profile.txt'), '--target-error', '0.2']
    const { stdout } = await run([file, ...check])
    expect(stdout).toMatch(/^team +200 .* keeps to its target$/m)
    expect(stdout).toMatch(/^urgent +200 .* keeps to its target$/m)
    expect(stdout).toMatch(/^mood +200 .* keeps to its target$/m)
    expect(stdout).toMatch(/^200 examples in .* tokens, \$/m)
  })

  it('says of a few labels how often the answers are right, without a profile', async () => {
    const file = join(folder, 'few.jsonl')
    await writeFile(file, fresh.slice(0, 40).join('\n'))
    const { stdout } = await run([file, '--score'])
    const [, right = 0, commonest = 100] = /^team +40 +([\d.]+)% +([\d.]+)% +\d\.\d{3}$/m.exec(stdout) ?? []
    expect(Number(right)).toBeGreaterThan(Number(commonest))
    expect(stdout).toMatch(/^team, wrong, surest first: lines \d+/m)
    expect(stdout).toMatch(/^40 examples in .* tokens, \$/m)
  })

  it('calls for another fit once labels or the words of a question have changed', async () => {
    const file = join(folder, 'changed.jsonl')
    const changed = fresh.map(line =>
      line
        .replace(/"label":(true|false)/, (_, was) => `"label":${was !== 'true'}`)
        .replace('How upset is the customer?', 'How angry is the customer?'),
    )
    await writeFile(file, changed.join('\n'))
    const check = ['--check', join(folder, 'profile.txt'), '--target-error', '0.2']
    const { code, stdout } = await run([file, ...check]).catch(error => error)
    expect(code).toBe(2)
    expect(stdout).toMatch(/^urgent +200 .* more wrong than the target allows: fit again$/m)
    expect(stdout).toMatch(/^mood +200 .* not covered by the profile: fit again$/m)
  })

  it('says what is wrong in one line, and where in the file', async () => {
    const broken = join(folder, 'broken.jsonl')
    const example = JSON.parse(lines[7] ?? '{}')
    example.questions.team.label = 'nobody'
    await writeFile(broken, lines.with(7, JSON.stringify(example)).join('\n'))
    await expect(run([broken])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/Line 8: 422 invalid_schema: examples\.7\.questions\.team\.label .*\n$/),
    })
    const few = join(folder, 'too-few.jsonl')
    await writeFile(few, lines.slice(0, 10).join('\n'))
    await expect(run([few])).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/422 too_few_examples: .*\nWith --score, .*\n$/),
    })
    await expect(run([broken], { DECIDER_API_KEY: 'sk_decider_wrong' })).rejects.toMatchObject({
      stderr: expect.stringContaining('401 invalid_api_key'),
    })
    await expect(run([broken], { DECIDER_URL: 'http://127.0.0.1:9' })).rejects.toMatchObject({
      stderr: expect.stringContaining('did not answer'),
    })
  })
})
