import { describe, expect, it } from 'vitest'
import { type ExamplesFile, lineOf, readExamples } from './examples-file.ts'

const read = (name: string, text: string): ExamplesFile => {
  const file = readExamples(name, text)
  if (typeof file === 'string') throw new Error(file)
  return file
}

const line = (label: unknown) =>
  JSON.stringify({ state: 'x', questions: { ok: { type: 'noul', instructions: 'It is x', label } } })

const lines = (count: number): string =>
  Array.from({ length: count }, (_, at) => line(at % 2 === 0)).join('\n')

describe('a file of examples', () => {
  it('is read as JSON Lines, and goes out as it stood', () => {
    const file = read('a.jsonl', `${lines(200)}\n\n \r\n`)
    expect(file).toMatchObject({
      examples: 200,
      problems: [],
      questions: [{ id: 'ok', type: 'noul', labels: 200 }],
    })
    expect(JSON.parse(file.text)).toHaveLength(200)
  })

  it('is remembered line by line, for what the service says of an example', () => {
    const file = read('a.jsonl', `${line(true)}\n\noops\r\n${line(1)}\n`)
    expect(lineOf(file, 'examples.1.questions.ok.label')).toBe(4)
    expect(lineOf(file, 'examples')).toBe(null)
    expect(lineOf(file, null)).toBe(null)
    expect(lineOf(read('a.json', `[${line(1)}]`), 'examples.0.questions.ok.label')).toBe(null)
  })

  it('is read as an array or as a request body', () => {
    const array = `[${lines(5_000).replaceAll('\n', ',')}]`
    for (const text of [array, `{"model":"decider-1","examples":${array}}`]) {
      const file = read('a.json', text)
      expect(file).toMatchObject({ examples: 5_000, problems: [] })
      expect(JSON.parse(file.text)).toHaveLength(5_000)
    }
  })

  it('names the one line of an array where its mistake is', () => {
    const array = `[\n${lines(3).replaceAll('\n', ',\n')},\n]`
    expect(readExamples('a.json', array)).toMatch(/ in line 5: expected a value\.$/)
  })

  it('is refused in one sentence if it does not begin with a line of JSON', () => {
    expect(readExamples('a.txt', 'a ticket\nanother, shorter\n')).toMatch(
      /^This is not JSON Lines, .* in line 1: /,
    )
    expect(readExamples('a.jsonl', '\n{"state": oops}\n')).toMatch(/ in line 2: /)
    expect(readExamples('a.json', '{\n  "data": []\n}')).toMatch(/^This is JSON, but neither/)
  })

  it.each(['text,label\n'.repeat(300), '\ntext;label\n', 'text\tlabel\r\n', '"state","label"\n"{}","a"\n'])(
    'is told to be CSV if it looks like it: %j',
    csv => {
      expect(readExamples('a.csv', csv)).toBe('This looks like CSV. Each line must be a JSON object.')
    },
  )

  it.each(['', ' \n\n'])('is told to be empty if nothing is in it: %j', text => {
    expect(readExamples('a.jsonl', text)).toBe('The file is empty.')
  })

  it('is as large as it is, whatever could be read of it', () => {
    expect(read('a.jsonl', 'null\noops, \u00fc\n').size).toBe(14)
  })

  it('counts the wordings of a question as the service does', () => {
    const asking = (question: object) => JSON.stringify({ state: 'x', questions: { team: question } })
    const one = { type: 'choice', criteria: { a: null, b: 'B' }, label: 'a' }
    const same = { text: null, type: 'choice', criteria: { b: 'B', a: null }, label: 'b' }
    const other = { ...one, instructions: 'Which team?', label: undefined }
    const { questions } = read('a.jsonl', [one, same, other].map(asking).join('\n'))
    expect(questions).toEqual([{ id: 'team', type: 'choice', labels: 2, wordings: 2 }])
    const refused = { ...one, criteria: ['a', 'b'] }
    expect(read('a.jsonl', asking(refused)).questions).toMatchObject([{ labels: 1, wordings: 1 }])
  })

  it('has no label where one is still to be written', () => {
    expect(read('a.jsonl', [null, true].map(line).join('\n')).questions[0]?.labels).toBe(1)
  })

  it('may have its questions as a list and its state as input, as the service reads them', () => {
    const listed =
      '{"input":"x","questions":[{"id":"ok","type":"noul","label":true},{"name":"so","type":"noul","label":true}]}'
    const file = read('a.jsonl', Array(200).fill(listed).join('\n'))
    expect(file.problems).toEqual([])
    expect(file.questions.map(({ id, labels }) => [id, labels])).toEqual([
      ['ok', 200],
      ['so', 200],
    ])
  })

  it.each([
    ['too few', lines(199), 'The file has 199 examples; at least 200 are needed.'],
    ['too many', lines(5001), 'The file has 5,001 examples; the limit is 5,000.'],
    ['broken lines', `${lines(200)}\n{"state":`, 'Line 201 is not valid JSON: the text ends too early.'],
    ['lines of something else', `${lines(200)}\n7`, 'Example 201 has no questions.'],
    ['a question of something else', '{"state":"x","questions":{"ok":7}}', 'The file has 1 example;'],
    ['something else in place of examples', '{"examples":{}}', 'The file has 0 examples;'],
    [
      'too long',
      `${lines(200)}\n${JSON.stringify({ state: 'x'.repeat(4_000_000), questions: {} })}`,
      'a request can hold 4.00 MB',
    ],
    [
      'too long with what a request says besides',
      `${lines(200)}\n${JSON.stringify({ state: 'x'.repeat(3_999_900 - lines(200).length), questions: {} })}`,
      'a request can hold 4.00 MB',
    ],
  ])('says what is wrong: %s', (_, text, problem) => {
    expect(read('a.jsonl', text).problems.join('\n')).toContain(problem)
  })
})
