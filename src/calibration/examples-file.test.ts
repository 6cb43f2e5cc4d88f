import { describe, expect, it } from 'vitest'
import { compact } from '../json/writer.ts'
import { jsonObjectIn } from '../testing/json.ts'
import { calibrationBody, exampleIn, textOf, withoutLabels } from './examples-file.ts'

describe('a file of examples', () => {
  it('is UTF-8 or is not read, whose letters would be lost', () => {
    const bytes = (text: string, encoding: BufferEncoding) =>
      Uint8Array.from(Buffer.from(text, encoding)).buffer
    expect(textOf(bytes('\uFEFFcafé', 'utf8'))).toBe('café')
    expect(textOf(bytes('café', 'latin1'))).toBeNull()
  })
})

it('an example is found by the path in a refusal, where that names one', () => {
  const paths = ['examples.12.questions.q', 'questions.examples.1', 'examples', null]
  expect(paths.map(exampleIn)).toEqual([12, null, null, null])
})

describe('the request for a calibration', () => {
  it('has the examples as they stand', () => {
    const examples = '[{"state":{"10":1,"2":1.0,"id":12345678901234567890},"questions":{}}]'
    expect(calibrationBody(examples, { targetError: 0.05, offsets: false, model: null })).toBe(
      `{"examples":${examples},"curves":true,"target_error":0.05}`,
    )
  })

  it('carries target, offsets and model', () => {
    expect(JSON.parse(calibrationBody('[{}]', { targetError: 0.02, offsets: true, model: 'a"b' }))).toEqual({
      examples: [{}],
      curves: true,
      target_error: 0.02,
      offsets: true,
      model: 'a"b',
    })
  })
})

describe('an example as a request', () => {
  const asked = (line: string): string => {
    const { state, questions } = withoutLabels(jsonObjectIn(line))
    return `${compact(state)} ${compact(questions)}`
  }

  it('has no labels, and keeps the order of keys and the digits of numbers', () => {
    const ask = '"type":"choice","criteria":{"10":{"id":1.0,"label":"x"},"2":null}'
    expect(asked(`{"state":{"10":1,"2":12345678901234567890},"questions":{"b":{${ask},"label":"2"}}}`)).toBe(
      `{"10":1,"2":12345678901234567890} {"b":{${ask}}}`,
    )
  })

  it('maps the names of listed questions to them, and reads input as the state, if there is no other', () => {
    expect(
      asked(
        '{"input":"x","questions":[{"id":"ok","type":"noul","label":true},{"name":"so","type":"noul","label":true}]}',
      ),
    ).toBe('"x" {"ok":{"type":"noul"},"so":{"type":"noul"}}')
    expect(asked('{"input":"x","state":"y","questions":{}}')).toBe('"y" {}')
  })
})
