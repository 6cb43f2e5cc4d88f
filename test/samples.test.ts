// Runs and compiles the samples in the documents as they are printed.
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { ROOT } from '../scripts/root.ts'
import { hasProgram } from './program.ts'
import { complaintsAbout, newProject } from './project.ts'
import { run, runShell, runTypeScript } from './run.ts'

/** The fenced samples of a document that call the service, with the address of the one under test. */
const samplesIn = (document: string, language: string): string[] => {
  const text = readFileSync(join(ROOT, document), 'utf8').replaceAll(
    'http://127.0.0.1:8787',
    inject('service').url,
  )
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))]
    .map(([, sample = '']) => sample)
    .filter(sample => sample.includes(inject('service').url))
}

type Example<Body> = { content: { 'application/json': { example?: Body } } }
type Operation = { requestBody: Example<object>; responses: { 200: Example<object> } }

/** An answer without what belongs to one request or service. Numbers may differ as they do between processors. */
const saidBy = (answer: object) =>
  JSON.parse(JSON.stringify(answer), (name, value) => {
    if (/^(x_)?(id|latency_ms|cached_tokens|cost_usd|profile)$/.test(name)) return undefined
    return typeof value === 'number' ? expect.closeTo(value, 1) : value
  })

/** A project with the profile that the documents say to fit. */
const calibratedProject = async (): Promise<string> => {
  const folder = await newProject()
  await writeFile(join(folder, 'profile.txt'), profile)
  return folder
}

/** Labelled examples of the repository. */
const TICKETS = readFileSync(join(ROOT, 'examples', 'support-tickets.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map(line => JSON.parse(line))

const calibrate = async (examples: object[]) => {
  const { url, keys } = inject('service')
  const headers = { authorization: `Bearer ${keys.standard}` }
  const body = JSON.stringify({ examples, target_error: 0.1 })
  const response = await fetch(`${url}/v1/calibrations`, { method: 'POST', headers, body })
  return JSON.parse(await response.text())
}
const { profile } = await calibrate(TICKETS)

describe('the samples', () => {
  it.runIf(hasProgram('curl'))('of the README run', async () => {
    const [sample = '', ...others] = samplesIn('README.md', 'sh')
    expect(others).toEqual([])
    const { answers } = JSON.parse(await runShell(sample))
    expect(Object.keys(answers)).toEqual(['team', 'refund', 'urgency'])
    expect(answers.team.choice).toBe('billing')
  })

  it('in TypeScript run', async () => {
    const samples = samplesIn('docs/compatibility.md', 'ts')
    expect(samples).toHaveLength(3)
    const cwd = await calibratedProject()
    const printed: string[] = []
    for (const sample of samples) printed.push(await runTypeScript(sample, { cwd }))
    expect(printed).toEqual(['billing\n', 'billing\nfurious\n', 'billing\n'])
  })

  it('of a whole program runs, and reports a refusal', async () => {
    const triage = (...tickets: string[]) =>
      run(process.execPath, [join(ROOT, 'examples', 'triage.ts'), ...tickets], { cwd })
    const cwd = await calibratedProject()
    const ticket = 'You charged my card twice for one order. This is outrageous!'
    expect(await triage(ticket)).toBe(`billing, can wait, furious: ${ticket}\n`)
    await expect(triage()).rejects.toThrow('Give it tickets')
    await writeFile(join(cwd, 'profile.txt'), 'no profile')
    await expect(triage(ticket)).rejects.toThrow('400 x_calibration is not a profile token')
  })

  it.runIf(hasProgram('python3'))('of a batch reads UTF-8, whatever the system’s encoding is', async () => {
    const file = join(await newProject(), 'states.jsonl')
    await writeFile(file, '{"state": "Vous m’avez débité deux fois, où est mon café ?"}\n')
    // As on Windows, or in a locale of the last century.
    const decide = (encoding: string) =>
      run('sh', ['-c', `PYTHONIOENCODING=${encoding} python3 examples/batch.py <"$1"`, 'sh', file])
    const answer = await decide('utf-8')
    expect(answer).toContain('"team"')
    expect(await decide('cp1252')).toBe(answer)
  })

  it('in TypeScript compile next to our types, and TypeSafe’s knows the options of its question', async () => {
    const [typesafe = '', ...others] = samplesIn('docs/compatibility.md', 'ts')
    const use = `
      choice === 'billing'
      // @ts-expect-error
      choice === 'nobody'
    } catch`
    const programs = [typesafe.replace('} catch', use), ...others]
    expect(await complaintsAbout(programs, 'examples/decider.d.ts', 'examples/typesafe.d.ts')).toBe('')
  })

  it.runIf(hasProgram('curl'))('of a calibration and of a calibrated decision run', async () => {
    const [asking = '', fitting = '', ...others] = samplesIn('docs/calibration.md', 'sh')
    expect(others).toEqual([])
    expect(JSON.parse(await runShell(fitting)).profile).toBe(profile)
    const { answers } = JSON.parse(await runShell(asking, { cwd: await calibratedProject() }))
    expect(answers.q.decider).toMatchObject({ calibrated: true, abstain: false })
  })

  it('of the OpenAPI document are answered as it says', async () => {
    const { url, keys } = inject('service')
    const call = async (path: string, init: RequestInit = {}) =>
      JSON.parse(await (await fetch(`${url}${path}`, init)).text())
    const { paths, components } = await call('/openapi.json')
    const asked = Object.entries<{ post?: Operation }>(paths).flatMap(([path, { post }]) => {
      const request = post?.requestBody.content['application/json'].example
      const answer = post?.responses[200].content['application/json'].example
      return request && answer ? [{ path, request, answer }] : []
    })
    expect(asked).toHaveLength(4)
    for (const { path, request, answer } of asked) {
      const headers = { authorization: `Bearer ${keys.standard}` }
      const body = JSON.stringify(request)
      expect(await call(path, { method: 'POST', headers, body }), path).toMatchObject(saidBy(answer))
    }
    // The example of a calibration labels one of the questions.
    const examples = TICKETS.map(({ state, questions: { team } }) => ({ state, questions: { team } }))
    expect(components.schemas.CalExample.examples).toEqual([examples[0]])
    const fitted = paths['/v1/calibrations'].post.responses[200].content['application/json'].example
    expect(await calibrate(examples)).toMatchObject(saidBy(fitted))
  })
})
