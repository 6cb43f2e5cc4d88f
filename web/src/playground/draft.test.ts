import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_LEVELS } from '../../../scorer/limits.ts'
import { compact } from '../../../src/json/writer.ts'
import { jsonIn } from '../../../src/testing/json.ts'
import {
  draftsOf,
  newDraft,
  newOption,
  questionOf,
  questionsOf,
  retyped,
  withField,
  withSide,
} from './draft.ts'

const roundTrip = (text: string): string => {
  const drafts = draftsOf(jsonIn(text))
  return drafts === null ? 'not shown' : compact(questionsOf(drafts))
}

describe('questions in the form', () => {
  it.each([
    [
      'integer-like keys out of order',
      '{"10":{"type":"choice","criteria":{"9":"nine","1":null,"__proto__":"x"}},"2":{"type":"noul"}}',
    ],
    ['fields in another order', '{"a":{"criteria":["low","high"],"instructions":null,"type":"score"}}'],
    [
      'long numbers in structured wording',
      '{"a":{"type":"noul","instructions":{"limit":12345678901234567890,"rate":1.0}}}',
    ],
    ['sides of a noul, no first', '{"a":{"type":"noul","criteria":{"false":"no","true":"yes"}}}'],
    ['criteria given as null', '{"a":{"type":"noul","instructions":"x","criteria":null}}'],
    [
      'aliases and mistakes it does not show',
      '{"a":{"type":"predicate","text":"x"},"b":{"type":"choice","options":["x"]},"c":7}',
    ],
  ])('come back as they were: %s', (_, text) => {
    expect(roundTrip(text)).toBe(text)
  })

  it('keep any question map unchanged', () => {
    const wording = fc.oneof(fc.string(), fc.constant(null), fc.array(fc.string(), { maxLength: 3 }))
    const question = fc.oneof(
      fc.record({
        type: fc.constant('choice'),
        instructions: wording,
        criteria: fc.dictionary(fc.string(), wording),
      }),
      fc.record({ criteria: fc.array(wording), type: fc.constant('score') }),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(fc.dictionary(fc.string(), question), questions => {
        const text = compact(jsonIn(JSON.stringify(questions)))
        expect(roundTrip(text)).toBe(text)
      }),
    )
  })

  it('are shown if the form has fields for them', () => {
    const questions =
      '{"a":{"type":"noul","criteria":null},"b":{"type":"predicate"},"c":{"type":"noul","text":"x"}}'
    expect(draftsOf(jsonIn(questions))?.map(({ kind }) => kind)).toEqual(['noul', 'raw', 'raw'])
  })

  it.each([
    '{"type":"noul","instructions":7}',
    '{"type":"noul","criteria":{"maybe":"x"}}',
    '{"type":"choice"}',
    '{"type":"choice","criteria":["x"]}',
    '{"type":"choice","criteria":{"x":"y","z":7}}',
    '{"type":"score","criteria":{"0":"low"}}',
    '{"type":"score","criteria":["low",7]}',
  ])('are not shown if the form has no fields for them: %s', question => {
    expect(draftsOf(jsonIn(`{"a":${question}}`))).toMatchObject([{ kind: 'raw' }])
  })

  it('are not shown when they are no map', () => {
    expect(draftsOf(jsonIn('[{"id":"a","type":"noul"}]'))).toBeNull()
  })

  it('set a field in its place', () => {
    const [draft] =
      draftsOf(jsonIn('{"a":{"type":"noul","criteria":{"false":"no"},"instructions":"x"}}')) ?? []
    if (draft?.kind !== 'noul') throw new Error('expected a noul')
    const changed = { ...draft, fields: withSide(draft.fields, 'true', 'yes') }
    expect(compact(questionOf(changed))).toBe(
      '{"type":"noul","criteria":{"false":"no","true":"yes"},"instructions":"x"}',
    )
    // Undoing puts the earlier draft back.
    expect(compact(questionOf(draft))).toBe('{"type":"noul","criteria":{"false":"no"},"instructions":"x"}')
  })

  it('keep their wording when the type changes', () => {
    const [choice] =
      draftsOf(jsonIn('{"a":{"type":"choice","instructions":"","criteria":{"yes":null,"no":null}}}')) ?? []
    if (choice === undefined) throw new Error('expected a choice')
    expect(compact(questionOf(retyped(choice, 'score')))).toBe(
      '{"type":"score","instructions":"","criteria":["yes","no"]}',
    )
    const [score] = draftsOf(jsonIn('{"a":{"type":"score","criteria":["low",{"what":"high"}]}}')) ?? []
    if (score === undefined) throw new Error('expected a score')
    expect(compact(questionOf(retyped(score, 'choice')))).toBe(
      '{"type":"choice","instructions":"","criteria":{"level_0":"low","level_1":{"what":"high"}}}',
    )
  })

  it('carry over no more options than a score may have levels', () => {
    const choice = newDraft('choice', 'a')
    if (choice.kind !== 'choice') throw new Error('expected a choice')
    const options = Array.from({ length: MAX_LEVELS + 1 }, (_, at) => newOption(`o${at}`))
    const score = retyped({ ...choice, options }, 'score')
    expect(score.kind === 'score' && score.levels.length).toBe(MAX_LEVELS)
  })

  it('begin empty where the other type has nothing to carry over', () => {
    const [choice] = draftsOf(jsonIn('{"a":{"type":"choice","criteria":{"only":null}}}')) ?? []
    if (choice === undefined) throw new Error('expected a choice')
    for (const draft of [choice, newDraft('noul', 'a')])
      expect(compact(questionOf(retyped(draft, 'score')))).toContain('"criteria":["",""]')
    const noul = retyped(newDraft('score', 'a'), 'noul')
    expect(compact(questionOf(noul))).toBe('{"type":"noul","instructions":""}')
  })

  it('are found again by whoever goes through the types and back', () => {
    const text = '{"a":{"type":"choice","criteria":{"10":"ten","2":null,"x":{"what":"y"}}}}'
    const [choice] = draftsOf(jsonIn(text)) ?? []
    if (choice === undefined) throw new Error('expected a draft')
    const score = retyped(retyped(choice, 'noul'), 'score')
    expect(compact(questionOf(score))).toBe(
      '{"type":"score","instructions":"","criteria":["ten","2",{"what":"y"}]}',
    )
    expect(compact(questionsOf([retyped(retyped(score, 'noul'), 'choice')]))).toBe(text)
    if (score.kind !== 'score') throw new Error('expected a score')
    const worded = { ...score, id: 'b', fields: withField(score.fields, 'instructions', 'Which?') }
    const back = retyped(worded, 'choice')
    expect(back).toMatchObject({ id: 'b', uid: choice.uid })
    expect(compact(questionOf(back))).toContain('"instructions":"Which?"')
  })

  it('are made of what the other type says by now, where nobody changed them', () => {
    const passedBy = retyped(retyped(newDraft('choice', 'q'), 'score'), 'choice')
    if (passedBy.kind !== 'choice') throw new Error('expected a choice')
    const options = ['billing', 'shipping', 'other'].map(key => newOption(key))
    const score = retyped({ ...passedBy, options }, 'score')
    expect(compact(questionOf(score))).toContain('"criteria":["billing","shipping","other"]')
    if (score.kind !== 'score') throw new Error('expected a score')
    const changed = retyped({ ...score, levels: ['low', 'high'] }, 'choice')
    expect(compact(questionOf(changed))).toContain('{"billing":null,"shipping":null,"other":null}')
    expect(compact(questionOf(retyped(changed, 'score')))).toContain('["low","high"]')
  })
})
