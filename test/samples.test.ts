// Runs the samples in the documents as they are printed.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, inject, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..')

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

/** An answer without the fields that belong to one request. Numbers may differ as they do between processors. */
const saidBy = (answer: object) =>
  JSON.parse(JSON.stringify(answer), (name, value) => {
    if (/^(x_)?(id|latency_ms|cached_tokens|cost_usd)$/.test(name)) return undefined
    return typeof value === 'number' ? expect.closeTo(value, 1) : value
  })

const run = async (command: string, args: string[]): Promise<string> => {
  // With FORCE_COLOR set, output is coloured even in a pipe.
  const env = { ...process.env, FORCE_COLOR: undefined, DECIDER_API_KEY: inject('service').keys.standard }
  return (await promisify(execFile)(command, args, { cwd: ROOT, env })).stdout
}

describe('the samples', () => {
  it('of the README run', async () => {
    const [sample = '', ...others] = samplesIn('README.md', 'sh')
    expect(others).toEqual([])
    const { answers } = JSON.parse(await run('sh', ['-c', sample]))
    expect(Object.keys(answers)).toEqual(['team', 'refund', 'urgency'])
    expect(answers.team.choice).toBe('billing')
  })

  it('for the SDKs run', async () => {
    const samples = samplesIn('docs/compatibility.md', 'ts')
    expect(samples).toHaveLength(2)
    for (const sample of samples) {
      const printed = await run(process.execPath, ['--input-type=module-typescript', '--eval', sample])
      expect(printed).toContain("choice: 'billing'")
    }
  })

  it('of the OpenAPI document are answered as it says', async () => {
    const { url, keys } = inject('service')
    const call = async (path: string, init: RequestInit = {}) =>
      JSON.parse(await (await fetch(`${url}${path}`, init)).text())
    const { paths } = await call('/openapi.json')
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
  })
})
