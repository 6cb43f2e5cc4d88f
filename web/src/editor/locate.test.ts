import { json } from '@codemirror/lang-json'
import { EditorState } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { locate } from './locate.ts'

const at = (doc: string, path: string): string => {
  const state = EditorState.create({ doc, extensions: [json()] })
  const { from, to } = locate(state, path)
  return state.sliceDoc(from, to)
}

describe('the place that a path names in a JSON text', () => {
  it('is a member by its key, which may hold dots', () => {
    expect(at('{"a": 1, "a.b": {"type": 2}}', 'a.b.type')).toBe('"type"')
    expect(at('{"a.b": {"type": 2}, "a": 1}', 'a.b.type')).toBe('"type"')
    expect(at('{"q": {"": 1}}', 'q')).toBe('"q"')
    expect(at('{"say \\"hi\\"": {"type": 2}}', 'say "hi".type')).toBe('"type"')
  })

  it('is an item by its index, whatever its neighbours are', () => {
    const doc = '{"q": {"criteria": [true, null, -1.5, "low", ["x"], {"what": "high"}]}}'
    const items = ['true', 'null', '-1.5', '"low"', '["x"]', '{"what": "high"}']
    expect(items.map((_, index) => at(doc, `q.criteria.${index}`))).toEqual(items)
    expect(at(doc, 'q.criteria.5.what')).toBe('"what"')
    const many = JSON.stringify(Array.from({ length: 12 }, () => ({ type: 'noul', text: 7 })))
    expect(at(many, '11.text')).toBe('"text"')
  })

  it('is the nearest that is there, where the rest of the path leads nowhere', () => {
    expect(at('{"q": {"criteria": ["low"]}}', 'q.criteria.7')).toBe('"criteria"')
    expect(at('{"q": 1}', 'r')).toBe('{')
  })
})
