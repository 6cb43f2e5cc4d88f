import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bodyOf, readExamples } from './examples.ts'

const defaults = { targetError: null, model: null }

describe('the request a file makes', () => {
  it('sends every line as it stands', () => {
    const line = '{"state":{"10":1,"2":1.0,"id":12345678901234567890},"questions":{}}'
    expect(bodyOf(`${line}\n${line}\n`, defaults).text).toBe(`{"examples":[${line},${line}],"curves":true}`)
  })

  it('skips empty lines and line ends of Windows, and still counts lines', () => {
    const body = bodyOf('{}\r\n\r\n  \n{}', defaults)
    expect(body.text).toBe('{"examples":[{},{}],"curves":true}')
    expect([0, 1, 2].map(body.lineOf)).toEqual([1, 4, undefined])
  })

  it('names the line that is not JSON', () => {
    expect(() => bodyOf('{}\n{]\n', defaults)).toThrow('Line 2 ')
    expect(() => bodyOf('{},{}', defaults)).toThrow('Line 1 ')
  })

  it('names the line that the service would not read, and the rule, which says nothing of what stands there', () => {
    const twice = '{"state":"a secret","state":"a secret"}'
    expect(() => bodyOf(`{}\n${twice}`, defaults)).toThrow(
      'Line 2 is not valid JSON: must not repeat a key within one object; the repeat ends here.',
    )
    expect(() => bodyOf('{"state":"\\ud800"}', defaults)).toThrow('Line 1 is not valid JSON: must not hold')
  })

  it('is not made of a file in another encoding, whose letters would be lost', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'decider-examples-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'latin1.jsonl')
    await writeFile(file, Buffer.from('{"state":"café"}', 'latin1'))
    await expect(readExamples({ file, ...defaults })).rejects.toThrow('not UTF-8')
    await writeFile(file, '\uFEFF{"state":"café"}')
    expect((await readExamples({ file, ...defaults })).text).toContain('[{"state":"café"}]')
  })

  it('carries target and model', () => {
    expect(JSON.parse(bodyOf('{}', { targetError: '0.02', model: 'a"b' }).text)).toEqual({
      examples: [{}],
      curves: true,
      target_error: 0.02,
      model: 'a"b',
    })
    expect(() => bodyOf('{}', { targetError: '0.02,"x":1', model: null })).toThrow('--target-error')
  })
})
