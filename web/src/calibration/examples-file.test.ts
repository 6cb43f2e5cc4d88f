import { describe, expect, it } from 'vitest'
import { compact } from '../../../src/json/writer.ts'
import { lineOf, readExamples, withoutLabels } from './examples-file.ts'

const line = (label: unknown) =>
  JSON.stringify({ state: 'x', questions: { ok: { type: 'noul', instructions: 'It is x', label } } })

const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => line(at % 2 === 0)).join('\n')

describe('a file of examples', () => {
  it('is read as JSON Lines, and goes out as it stood', () => {
    const file = readExamples('a.jsonl', `${lines(200)}\n\n`)
    expect(file).toMatchObject({
      examples: 200,
      problems: [],
      questions: [{ id: 'ok', type: 'noul', labels: 200 }],
    })
    expect(JSON.parse(file.text)).toHaveLength(200)
  })

  it('is remembered line by line, for what the service says of an example', () => {
    const file = readExamples('a.jsonl', `${line(true)}\n\noops\r\n${line(1)}\n`)
    expect(lineOf(file, 'examples.1.questions.ok.label')).toBe(4)
    expect(lineOf(file, 'examples')).toBe(null)
    expect(lineOf(file, null)).toBe(null)
    expect(lineOf(readExamples('a.json', `[${line(1)}]`), 'examples.0.questions.ok.label')).toBe(null)
  })

  it('is read as an array or as a request body', () => {
    const array = `[${lines(200).replaceAll('\n', ',')}]`
    expect(readExamples('a.json', array)).toMatchObject({ examples: 200, problems: [] })
    expect(readExamples('a.json', `{"examples":${array}}`)).toMatchObject({ examples: 200, problems: [] })
  })

  it.each([
    ['too few', lines(199), 'There are 199 examples; it takes 200.'],
    ['too many', lines(5001), 'There are 5,001 examples; 5,000 is the most.'],
    ['broken lines', `${lines(200)}\n{"state":`, 'Line 201 is not valid JSON: expected a value.'],
    ['lines of something else', `${lines(200)}\n7`, 'Example 201 has no questions.'],
    [
      'too long',
      `${lines(200)}\n${JSON.stringify({ state: 'x'.repeat(4_000_000), questions: {} })}`,
      'a request holds 4.00 MB',
    ],
  ])('says what is wrong: %s', (_, text, problem) => {
    expect(readExamples('a.jsonl', text).problems.join('\n')).toContain(problem)
  })

  it('turns an example into a request without its labels', () => {
    const { first } = readExamples('a.jsonl', line(true))
    if (first === null) throw new Error('expected an example')
    expect(compact(withoutLabels(first).questions)).toBe('{"ok":{"type":"noul","instructions":"It is x"}}')
  })
})
