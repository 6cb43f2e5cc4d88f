import { describe, expect, it } from 'vitest'
import type { Question } from '../decision/question.ts'
import { signatureOf } from '../decision/question-signature.ts'
import { signaturePlaces } from '../decision/question-wording.ts'
import type { Scored } from '../decision/usage.ts'
import { sealProfile } from '../profiles/profile.ts'
import { newProfileKey } from '../profiles/profile-keys.ts'
import { calibrate, profileOf } from './calibrate.ts'
import type { Example } from './request.ts'
import { seededRandom } from './simulation/random.ts'

const team: Question = {
  type: 'choice',
  instructions: 'Which team?',
  criteria: new Map([
    ['a', null],
    ['b', null],
    ['c', null],
  ]),
}
const turned: Question = { ...team, criteria: new Map([...team.criteria].reverse()) }
const urgent: Question = {
  type: 'noul',
  instructions: 'Is it urgent?',
  criteria: { true: null, false: null },
}
const key = newProfileKey('k')

type Case = { example: Example; scored: Scored }
type Answered = { id: string; question: Question; name: string; logits: ReadonlyMap<string, number> }

const caseOf = (state: Example['state'], answers: readonly Answered[]): Case => ({
  example: {
    state,
    questions: new Map(
      answers.map(({ id, question, name, logits }) => [
        id,
        {
          asked: { question, signature: signatureOf(question), places: signaturePlaces(question) },
          label: { name, index: [...logits.keys()].indexOf(name) },
        },
      ]),
    ),
  },
  scored: {
    kind: 'scored',
    stateTokens: 1,
    stateFramingTokens: 4,
    cached: false,
    questions: answers.map(({ logits }) => ({
      logits: [...logits.values()],
      questionTokens: 1,
      framingTokens: 1,
      reversed: null,
    })),
  },
})

const drawn = (
  count: number,
  ask: (logits: ReadonlyMap<string, number>, label: string, index: number) => Answered[],
) => {
  const random = seededRandom(11)
  return Array.from({ length: count }, (_, index) => {
    const label = ['a', 'b', 'c'][Math.floor(3 * random())] ?? 'a'
    const logits = new Map(['a', 'b', 'c'].map(name => [name, 6 * random() + (name === label ? 4 : 0)]))
    return caseOf(`state ${index}`, ask(logits, label, index))
  })
}
const asTeam = (id: string, logits: ReadonlyMap<string, number>, name: string): Answered => ({
  id,
  question: team,
  name,
  logits,
})

const run = (cases: readonly Case[], targetError = 0.1, offsets = false) =>
  Array.from(
    calibrate(
      { examples: cases.map(({ example }) => example), targetError, offsets },
      cases.map(({ scored }) => scored),
    ),
  )
const tokenOf = (cases: readonly Case[], offsets = false) =>
  sealProfile(profileOf('snapshot', run(cases, 0.1, offsets)), key)

describe('calibrate', () => {
  it('gathers a question from all its ids', () => {
    const cases = drawn(200, (logits, label, index) => [
      asTeam(index % 2 === 0 ? 'team' : 'queue', logits, label),
    ])
    expect(run(cases)).toMatchObject([
      {
        signature: signatureOf(team),
        type: 'choice',
        questionIds: ['team', 'queue'],
        outcome: { status: 'fitted' },
      },
    ])
  })

  it('reports a question with 49 labels without fitting it, and fits one with 50', () => {
    const mixed = (urgents: number) =>
      drawn(200, (logits, label, index) => [
        asTeam('team', logits, label),
        ...(index < urgents
          ? [
              {
                id: 'urgent',
                question: urgent,
                name: 'true',
                logits: new Map([
                  ['true', 1],
                  ['false', 0],
                ]),
              },
            ]
          : []),
      ])
    const [, few] = run(mixed(49))
    expect(few).toMatchObject({
      questionIds: ['urgent'],
      outcome: {
        status: 'too_few_examples',
        before: {
          ...{ n: 49, accuracy: 1, coverage: 1, cutoff: null },
          mean_confidence: expect.closeTo(1 / (1 + Math.exp(-1)), 12),
        },
      },
    })
    expect([...profileOf('s', run(mixed(49))).rules.keys()]).toEqual([signatureOf(team)])
    expect(profileOf('s', run(mixed(50))).rules.size).toBe(2)
  })

  it('counts an example once if it asks a question under two ids', () => {
    const twice = (count: number) =>
      run(drawn(count, (logits, label) => [asTeam('team', logits, label), asTeam('queue', logits, label)]))
    expect(twice(49)).toMatchObject([{ outcome: { status: 'too_few_examples', before: { n: 98 } } }])
    expect(twice(50)).toMatchObject([{ questionIds: ['team', 'queue'], outcome: { status: 'fitted' } }])
  })

  describe('counts states as one trial', () => {
    const certain = new Map([
      ['a', 9],
      ['b', 0],
      ['c', 0],
    ])
    const certifies = (states: readonly Example['state'][]) => {
      const [report] = run(
        states.map(state => caseOf(state, [asTeam('team', certain, 'a')])),
        0.05,
      )
      return report?.outcome.status === 'fitted' && report.outcome.fit.rule.cutoff !== null
    }
    // At a target of 0.05, 45 trials are the fewest that certify anything.
    const texts = Array.from({ length: 40 }, (_, index) => `{"a":${index}}`)
    const objects = () => texts.map((_, index) => new Map([['a', index]]))

    it('if they are equal, however often they come, but not a text and the same JSON', () => {
      expect(certifies([...texts, ...objects()])).toBe(true)
      expect(certifies([...texts, ...texts])).toBe(false)
      expect(certifies([...objects(), ...objects()])).toBe(false)
    })

    it('if the model cannot tell them apart', () => {
      const notes = Array.from({ length: 30 }, (_, index) => `Café ${index}: is it open?`)
      const repeated = (change: (note: string, copy: number) => Example['state']) =>
        Array.from({ length: 8 }, (_, copy) => notes.map(note => change(note, copy))).flat()
      expect(certifies(repeated((note, copy) => `${note} ${copy}`))).toBe(true)
      expect(certifies(repeated((note, copy) => note + ' '.repeat(copy)))).toBe(false)
      expect(certifies(repeated((note, copy) => note.slice(0, copy).toUpperCase() + note.slice(copy)))).toBe(
        false,
      )
      expect(certifies(repeated((note, copy) => note.normalize(copy % 2 === 0 ? 'NFC' : 'NFD')))).toBe(false)
      // In JSON, an escaped line break is read as a space.
      const spaced = (note: string, copy: number) => note.replaceAll(' ', ' \n'.slice(copy % 2))
      expect(certifies(repeated((note, copy) => [spaced(note, copy)]))).toBe(false)
    })
  })

  it('makes the same token from the same examples in any order, under any ids, with options in any order', () => {
    const cases = drawn(200, (logits, label) => [asTeam('team', logits, label)])
    const others = drawn(200, (logits, label, index) => [
      { id: `q${index}`, question: turned, name: label, logits: new Map([...logits].reverse()) },
    ]).toReversed()
    for (const offsets of [false, true]) expect(tokenOf(others, offsets)).toBe(tokenOf(cases, offsets))
    expect(tokenOf(cases)).toBe(tokenOf(cases))
  })

  describe('reports the offsets of a model that leans by the names of the options', () => {
    const offsetsOf = (cases: readonly Case[]) => {
      const [report] = run(cases, 0.1, true)
      return report?.outcome.status === 'fitted' ? [...(report.outcome.offsets ?? [])] : []
    }

    it('of a choice, in the order in which it was sent', () => {
      const leaning = { b: 0, c: 9, a: 3 }
      const question = { ...team, criteria: new Map(Object.keys(leaning).map(name => [name, null])) }
      const cases = drawn(100, (logits, label) => [
        {
          ...{ id: 'team', question, name: label },
          logits: new Map(
            Object.entries(leaning).map(([name, much]) => [name, (logits.get(name) ?? 0) + much]),
          ),
        },
      ])
      const offsets = offsetsOf(cases)
      expect(offsets.map(([name]) => name)).toEqual(['b', 'c', 'a'])
      const lowestFirst = offsets.toSorted(([, one], [, other]) => one - other)
      expect(lowestFirst.map(([name]) => name)).toEqual(['c', 'a', 'b'])
    })

    it('of a yes-or-no question, no first', () => {
      const cases = drawn(100, (logits, label) => [
        {
          ...{ id: 'urgent', question: urgent, name: String(label === 'a') },
          logits: new Map([
            ['true', (logits.get('a') ?? 0) + 6],
            ['false', logits.get('b') ?? 0],
          ]),
        },
      ])
      const [no, yes] = offsetsOf(cases)
      expect([no?.[0], yes?.[0]]).toEqual(['false', 'true'])
      expect(no?.[1]).toBeGreaterThan(yes?.[1] ?? 0)
    })
  })

  it('makes a different token from other labels', () => {
    const cases = drawn(200, (logits, label) => [asTeam('team', logits, label)])
    const others = drawn(200, (logits, label, index) => [asTeam('team', logits, index < 5 ? 'a' : label)])
    expect(tokenOf(others)).not.toBe(tokenOf(cases))
  })

  it('throws if an example was not scored', () => {
    const [first, ...others] = drawn(200, (logits, label) => [asTeam('team', logits, label)])
    if (first === undefined) throw new Error('nothing was drawn')
    const unscored = { ...first, scored: { ...first.scored, questions: [] } }
    expect(() => run([unscored, ...others])).toThrow('a scored question is missing')
  })

  it('puts nothing of a question into the profile but its signature', () => {
    const blob = Buffer.from(
      tokenOf(drawn(200, (logits, label) => [asTeam('team', logits, label)])).split('.')[2] ?? '',
      'base64url',
    )
    const text = blob.toString('latin1')
    for (const word of ['team', 'Which', 'state']) expect(text).not.toContain(word)
  })
})
