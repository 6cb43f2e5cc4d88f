// What the service promises about its numbers, tested on the shipped model: how a question was served never shows in
// them.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { loadSnapshots } from './core/snapshot/load.ts'
import type { ScoreReply, ScoreUnit, UnitQuestion } from './protocol.ts'
import {
  ANGRY,
  logitsOf,
  type Scored,
  startScorer,
  TEAM,
  type TestScorer,
  URGENT,
  unit,
} from './testing/scorer.ts'
import { MODELS_FOLDER } from './testing/snapshot.ts'

vi.setConfig({ testTimeout: 120_000 })

let scorer: TestScorer
beforeAll(async () => {
  scorer = await startScorer({ SCORER_BATCH_TOKENS: '65536', SCORER_QUESTION_LIFETIME_MS: '300000' })
})
afterAll(() => scorer.stop())

const state = (words: number): ScoreUnit['state'] => ({
  form: 'text',
  text: Array.from({ length: words }, (_, i) => `${WORDS[i % WORDS.length]}${i % 7 === 0 ? '.' : ''}`).join(
    ' ',
  ),
})
const WORDS =
  'the parcel came late and my card was charged twice so please refund one of both payments today'.split(' ')
const json: ScoreUnit['state'] = {
  form: 'json',
  text: '{"ticket":{"subject":"refund","messages":[{"text":"charged twice"},{"text":"still waiting"}]},"vip":true}',
}
const FOCUSED: UnitQuestion = {
  type: 'choice',
  instructions: 'What is `ticket.messages[1].text` about?',
  options: [
    ['delay', 'the customer waits'],
    ['praise', null],
    ['refund', 'money back'],
    ['other', null],
  ],
}
const LONG: UnitQuestion = {
  type: 'choice',
  instructions: `Which of these fits? ${WORDS.join(' ').repeat(20)}`,
  options: [
    ['short', null],
    ['long', WORDS.join(' ').repeat(20)],
  ],
}
const neighbours = (count: number): UnitQuestion[] =>
  Array.from({ length: count }, (_, i) => ({
    type: 'choice',
    instructions: `Question ${i}: ${WORDS.slice(0, i % 17).join(' ')}?`,
    options: Array.from({ length: 1 + (i % 5) }, (_, o): [string, string | null] => [
      `option ${o}`,
      o % 2 === 0 ? null : WORDS.slice(o, o + (i % 9)).join(' '),
    ]),
  }))
const many = async (units: ScoreUnit[]): Promise<Scored[]> =>
  (await scorer.post<ScoreReply>('/score', { units })).body.units as Scored[]

describe.each([
  ['a short text', state(11)],
  ['a state of several blocks', state(700)],
  ['a JSON state with parts in focus', json],
])('the logits for %s', (_, text) => {
  const questions = [TEAM, ANGRY, URGENT, FOCUSED, LONG]
  let alone: number[][]
  beforeAll(async () => {
    alone = []
    for (const question of questions) {
      alone.push(...logitsOf(await scorer.score(unit({ state: text, questions: [question] }))))
    }
  })

  it('are the same for questions asked together as for questions asked alone', async () => {
    expect(logitsOf(await scorer.score(unit({ state: text, questions })))).toEqual(alone)
  })

  it('are the same from the cache', async () => {
    const one = unit({ state: text, questions })
    await scorer.score(one)
    const cached = await scorer.score(one)
    expect(cached.cached).toBe(true)
    expect(logitsOf(cached)).toEqual(alone)
  })

  it('are the same among 128 questions, at any position', async () => {
    const others = neighbours(128 - questions.length)
    const last = await scorer.score(unit({ state: text, questions: [...others, ...questions] }))
    expect(logitsOf(last).slice(-questions.length)).toEqual(alone)
    const middle = await scorer.score(unit({ state: text, questions: others.toSpliced(60, 0, ...questions) }))
    expect(logitsOf(middle).slice(60, 60 + questions.length)).toEqual(alone)
  })

  it('are the same in a batch with other states and tenants, and in concurrent requests', async () => {
    const batch = [7, 300, 1_000, 50].map(words =>
      unit({ state: state(words), questions: neighbours((words % 13) + 1) }),
    )
    const [answers, single] = await Promise.all([
      many([...batch.slice(0, 2), unit({ state: text, questions }), ...batch.slice(2)]),
      scorer.score(unit({ state: text, questions })),
      many(batch),
    ])
    expect(answers.map(({ kind }) => kind)).toEqual(Array(5).fill('scored'))
    expect(logitsOf(answers[2] as Scored)).toEqual(alone)
    expect(logitsOf(single)).toEqual(alone)
  })

  it('move with their options into any order', async () => {
    const choices = [TEAM, FOCUSED, LONG, ...neighbours(6)].filter(question => question.type === 'choice')
    const orders = [
      <T>(items: readonly T[]) => items.toReversed(),
      <T>(items: readonly T[]) => [...items.slice(1), ...items.slice(0, 1)],
      <T>(items: readonly T[]) => [
        ...items.filter((_, i) => i % 2 === 1),
        ...items.filter((_, i) => i % 2 === 0),
      ],
    ]
    const asked = logitsOf(await scorer.score(unit({ state: text, questions: choices })))
    for (const order of orders) {
      const shuffled = choices.map(question => ({ ...question, options: order(question.options) }))
      const answer = await scorer.score(unit({ state: text, questions: shuffled }))
      expect(logitsOf(answer)).toEqual(asked.map(order))
    }
  })

  it('are the same in the reversed pass, in the order asked', async () => {
    const { questions: scored } = await scorer.score(
      unit({ state: text, reverse: true, questions: [TEAM, FOCUSED, LONG] }),
    )
    expect(scored.map(({ reversed }) => reversed?.logits)).toEqual(scored.map(({ logits }) => logits))
  })
})

describe('the shipped snapshot', () => {
  const SIDES: UnitQuestion = {
    type: 'noul',
    instructions: 'The customer is angry',
    sides: ['they shout', 'they are calm'],
  }
  const MANY: UnitQuestion = {
    type: 'choice',
    instructions: 'Which word fits?',
    options: WORDS.map((word, i) => [`${i} ${word}`, WORDS.join(' ')]),
  }
  const TWO_PARTS: UnitQuestion = {
    ...ANGRY,
    instructions: '`ticket.subject` and `ticket.messages[1].text` say the same',
  }
  const FOCUSED_LONG: UnitQuestion = {
    ...LONG,
    instructions: `${FOCUSED.instructions} ${LONG.instructions}`,
  }

  // They agree with what training/onnx_reading.py reads from the same graphs. A processor may change them a little, most
  // of all one that adds products of bytes in 16 bits.
  it.each<[string, ScoreUnit['state'], UnitQuestion[], number[][]]>([
    [
      'a short text',
      state(11),
      [TEAM, ANGRY, URGENT, SIDES],
      [
        [10.2785, 8.5514, 8.4216],
        [1.5356, 2.1415],
        [1.5699, 1.8583, 2.3011],
        [1.5605, 2.0339],
      ],
    ],
    [
      'more options than fit in one run',
      state(11),
      [MANY],
      [
        [
          18.3548, 18.624, 18.9183, 18.5997, 18.7237, 18.6029, 18.7362, 18.5659, 18.6497, 18.6538, 18.5752,
          18.5042, 18.1069, 18.6526, 18.5443, 18.5622, 18.301, 18.4135,
        ],
      ],
    ],
    [
      'a state of several blocks and an instruction of two',
      state(700),
      [TEAM, SIDES, LONG],
      [
        [8.7722, 4.7862, 4.9116],
        [2.3485, 2.4224],
        [16.0993, 26.5323],
      ],
    ],
    [
      'parts of a JSON state',
      json,
      [TWO_PARTS, FOCUSED, FOCUSED_LONG],
      [
        [1.798, 1.827],
        [10.6985, 3.453, 3.1526, 3.6929],
        [3.6512, -0.4033],
      ],
    ],
  ])('has the logits that it was released with, for %s', async (_, text, questions, released) => {
    const logits = logitsOf(await scorer.score(unit({ state: text, questions }))).flat()
    const apart = released.flat().map((logit, i) => Math.abs(logit - (logits[i] ?? Number.NaN)))
    expect(logits).toHaveLength(apart.length)
    expect(Math.max(...apart)).toBeLessThan(0.1)
  })
})

describe('limits', () => {
  it('accepts a state of 65,536 tokens and refuses one of 65,537', async () => {
    const text = (tokens: number): ScoreUnit['state'] => ({ form: 'text', text: 'word '.repeat(tokens) })
    const headers = { 'x-scorer-deadline-ms': '110000' }
    const { body } = await scorer.post<ScoreReply>(
      '/score',
      {
        units: [
          unit({ state: text(65_536), questions: [ANGRY] }),
          unit({ state: text(65_537), questions: [ANGRY] }),
        ],
      },
      { headers },
    )
    expect(body.units[0]).toMatchObject({ kind: 'scored', stateTokens: 65_536, stateFramingTokens: 4 })
    expect(body.units[1]).toEqual({ kind: 'state_too_long', limit: 65_536 })
  })

  it('accepts 1,024 options, and scores two of them as if they were asked alone', async () => {
    const options = Array.from({ length: 1_024 }, (_, i): [string, string | null] => [
      `option ${i}`,
      i % 3 === 0 ? WORDS.join(' ') : null,
    ])
    const question = (some: typeof options): UnitQuestion => ({
      type: 'choice',
      instructions: 'Which?',
      options: some,
    })
    const units = [options, options.slice(511, 513)].map(some => unit({ questions: [question(some)] }))
    const { body } = await scorer.post<ScoreReply>('/score', { units })
    const [all, two] = body.units.map(answer => logitsOf(answer as Scored)[0])
    expect(all).toHaveLength(1_024)
    // There is one temperature for 65 or more options, and another for two.
    const [snapshot] = await loadSnapshots(MODELS_FOLDER)
    const { '65+': ofAll = 0, '2': ofTwo = 0 } = snapshot?.description.temperatures.choice ?? {}
    for (const place of [0, 1]) {
      expect((all?.[511 + place] ?? 0) * ofAll).toBeCloseTo((two?.[place] ?? 0) * ofTwo, 5)
    }
  })
})
