import { describe, expect, it } from 'vitest'
import { placeOf } from './place.ts'

describe('the place of an error', () => {
  it.each([
    ['state', { pane: 'state' }],
    ['state.a', { pane: 'state' }],
    ['stated', { pane: 'request' }],
    ['model', { pane: 'model' }],
    ['calibration', { pane: 'calibration' }],
    ['questions', { pane: 'questions', id: null, rest: '' }],
    ['questions.a', { pane: 'questions', id: 'a', rest: '' }],
    ['questions.a.criteria', { pane: 'questions', id: 'a', rest: 'criteria' }],
    ['questions.a.b.criteria', { pane: 'questions', id: 'a.b', rest: 'criteria' }],
    ['questions.c.d.criteria', { pane: 'questions', id: 'c.d', rest: 'criteria' }],
    ['questions.unknown.type', { pane: 'questions', id: null, rest: 'unknown.type' }],
    ['questions.another.type', { pane: 'questions', id: null, rest: 'another.type' }],
    ['body', { pane: 'request' }],
    ['', { pane: 'request' }],
  ])('of %s', (param, place) => {
    expect(placeOf(param, ['a', 'a.b', 'c.d', 'c'])).toEqual(place)
  })
})
