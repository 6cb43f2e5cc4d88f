import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newFolder } from '../../test/folder.ts'
import { linesOf, readLines } from './examples.ts'

describe('a file of examples', () => {
  it('is read line by line, each as it stands', () => {
    const line = '{"state":{"10":1,"2":1.0,"id":12345678901234567890},"questions":{}}'
    expect(linesOf(`${line}\n${line}\n`).map(({ text }) => text)).toEqual([line, line])
  })

  it('may have empty lines and line ends of Windows, and is still counted by lines', () => {
    const lines = linesOf('{}\r\n\r\n  \n{}')
    expect(lines.map(({ text, number }) => [text, number])).toEqual([
      ['{}', 1],
      ['{}', 4],
    ])
  })

  it('is refused with the line that is not JSON', () => {
    expect(() => linesOf('{}\n{]\n')).toThrow(/^Line 2 is not valid JSON: [^.]+\.$/)
    expect(() => linesOf('{},{}')).toThrow('Line 1 ')
  })

  it('is perhaps a table if not even its first line is JSON', () => {
    expect(() => linesOf('text,label\nhello,a\n')).toThrow(/^Line 1 .* how to make them from a CSV file\.$/)
  })

  it('is refused with the line that is JSON but no example', () => {
    expect(() => linesOf('{}\n1\n')).toThrow('Line 2 is not an example')
    expect(() => linesOf('[{}]')).toThrow('Line 1 is an array. Give each example a line of its own')
  })

  it('is refused with the line that the service would not read, and the rule, which says nothing of what stands there', () => {
    const twice = '{"state":"a secret","state":"a secret"}'
    expect(() => linesOf(`{}\n${twice}`)).toThrow(
      'Line 2 is not valid JSON: must not repeat a key within one object; the repeat ends here.',
    )
    expect(() => linesOf('{"state":"\\ud800"}')).toThrow('Line 1 is not valid JSON: must not hold')
  })

  it('is named where it cannot be read, such as a folder', async () => {
    const told = (path: string) => readLines(path).then(String, String)
    expect(await told(tmpdir())).toMatch(`${tmpdir()} cannot be read (EISDIR`)
    expect(await told('no-such.jsonl')).toMatch('no-such.jsonl cannot be read (ENOENT')
  })

  it('is not read in another encoding, whose letters would be lost', async () => {
    const file = join(await newFolder(), 'latin1.jsonl')
    await writeFile(file, Buffer.from('{"state":"café"}', 'latin1'))
    await expect(readLines(file)).rejects.toThrow('not UTF-8')
    await writeFile(file, '\uFEFF{"state":"café"}')
    expect((await readLines(file)).map(({ text }) => text)).toEqual(['{"state":"café"}'])
  })
})
