import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { bodyOf, linesOf, readLines } from './examples.ts'

const asked = { targetError: 0.05, offsets: false, model: null }

describe('the request a file makes', () => {
  it('sends every line as it stands', () => {
    const line = '{"state":{"10":1,"2":1.0,"id":12345678901234567890},"questions":{}}'
    expect(bodyOf(linesOf(`${line}\n${line}\n`), asked)).toBe(
      `{"examples":[${line},${line}],"curves":true,"target_error":0.05}`,
    )
  })

  it('skips empty lines and line ends of Windows, and still counts lines', () => {
    const lines = linesOf('{}\r\n\r\n  \n{}')
    expect(bodyOf(lines, asked)).toBe('{"examples":[{},{}],"curves":true,"target_error":0.05}')
    expect(lines.map(({ number }) => number)).toEqual([1, 4])
  })

  it('names the line that is not JSON', () => {
    expect(() => linesOf('{}\n{]\n')).toThrow('Line 2 ')
    expect(() => linesOf('{},{}')).toThrow('Line 1 ')
  })

  it('names the line that is JSON but no example', () => {
    expect(() => linesOf('{}\n[]\n')).toThrow('Line 2 is not an example')
  })

  it('names the line that the service would not read, and the rule, which says nothing of what stands there', () => {
    const twice = '{"state":"a secret","state":"a secret"}'
    expect(() => linesOf(`{}\n${twice}`)).toThrow(
      'Line 2 is not valid JSON: must not repeat a key within one object; the repeat ends here.',
    )
    expect(() => linesOf('{"state":"\\ud800"}')).toThrow('Line 1 is not valid JSON: must not hold')
  })

  it('is not made of a file in another encoding, whose letters would be lost', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'decider-examples-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'latin1.jsonl')
    await writeFile(file, Buffer.from('{"state":"café"}', 'latin1'))
    await expect(readLines(file)).rejects.toThrow('not UTF-8')
    await writeFile(file, '\uFEFF{"state":"café"}')
    expect((await readLines(file)).map(({ text }) => text)).toEqual(['{"state":"café"}'])
  })

  it('carries target, offsets and model', () => {
    expect(JSON.parse(bodyOf(linesOf('{}'), { targetError: 0.02, offsets: true, model: 'a"b' }))).toEqual({
      examples: [{}],
      curves: true,
      target_error: 0.02,
      offsets: true,
      model: 'a"b',
    })
  })
})
