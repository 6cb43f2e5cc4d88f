// What the playground copies is run as a stranger would run it.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { isObject, type JsonObject } from '../src/json/json.ts'
import { readJson } from '../src/json/reader.ts'
import { write } from '../web/src/playground/snippets/snippets.ts'

const ROOT = join(import.meta.dirname, '..')

const REQUEST = `{
  "state": {"ticket": "It's broken: charged \\"twice\\" & nobody answers", "10": 1.0},
  "questions": {
    "team": {"type": "choice", "instructions": "Who handles \`ticket\`?", "criteria": {"billing": {"what": "money"}, "shipping": null}},
    "angry": {"type": "noul", "instructions": "The customer isn't happy", "criteria": {"true": "annoyed", "false": "calm"}},
    "urgency": {"type": "score", "criteria": ["low", "high"]}
  }
}`

describe('code copied from the playground', () => {
  it('runs as curl', async () => {
    const answer = JSON.parse(await run('sh', ['-c', write.curl(request(), inject('service').url)]))
    expect(Object.keys(answer.answers)).toEqual(['team', 'angry', 'urgency'])
  })

  it('runs with the TypeSafe SDK', async () => {
    const printed = await runTypeScript(write.typesafe(request(), inject('service').url))
    expect(printed).toContain("type: 'choice'")
    expect(printed).toContain('legend')
  })

  it('runs with the OpenAI SDK', async () => {
    const printed = await runTypeScript(write.openai(request(), inject('service').url))
    expect(printed).toContain("type: 'predicate'")
    expect(printed).toContain("name: 'urgency'")
  })

  it('warns where JavaScript would change the order of keys', () => {
    const reordered = read(
      '{"state":"x","questions":{"a":{"type":"choice","criteria":{"10":null,"2":null}}}}',
    )
    expect(write.typesafe(reordered, 'https://x.example')).toContain('Mind the order')
    expect(write.typesafe(request(), 'https://x.example')).toContain('Mind the order')
    expect(write.typesafe(read('{"state":"x","questions":{}}'), 'https://x.example')).not.toContain('Mind')
  })

  it('is Python where it should be Python', () => {
    const code = write.python(
      read('{"state":[true,null,1.0],"questions":{"10":{},"2":{}}}'),
      'https://x.example',
    )
    expect(code).toContain('True,\\n            None,\\n            1.0,'.replaceAll('\\n', '\n'))
    expect(code.indexOf('"10"')).toBeLessThan(code.indexOf('"2"'))
  })
})

const read = (text: string): JsonObject => {
  const reading = readJson(text)
  if (reading.kind === 'refused' || !isObject(reading.value)) throw new Error('not an object')
  return reading.value
}

const request = () => read(REQUEST)

const runTypeScript = (code: string): Promise<string> =>
  run(process.execPath, ['--input-type=module-typescript', '--eval', code])

const run = (command: string, args: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, DECIDER_API_KEY: inject('service').keys.standard }
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let printed = ''
    let complained = ''
    child.stdout.on('data', chunk => (printed += chunk))
    child.stderr.on('data', chunk => (complained += chunk))
    child.once('close', code =>
      code === 0 ? resolve(printed) : reject(new Error(`ended with ${code}: ${complained}`)),
    )
  })
