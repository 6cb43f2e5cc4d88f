import { describe, expect, it } from 'vitest'
import type { UnitAnswer } from '../../scorer/protocol.ts'
import { Problem } from '../problem.ts'
import { openProfile } from '../profiles/profile.ts'
import {
  answerOf,
  errorOf,
  examples,
  PATH,
  scorerThatReadsLogits,
  setup,
  TEAM,
  TEAMS,
  URGENT,
} from '../testing/calibrations.ts'
import { SNAPSHOT } from '../testing/scorer.ts'
import { profileKey } from '../testing/setup.ts'

describe('POST /v1/calibrations → 200', () => {
  it('answers with the profile, the report and the usage, in the shape of the specification', async () => {
    const { post } = setup()
    const response = await post(PATH, { examples: examples(), target_error: 0.1 })
    expect(response.headers.get('decider-model-version')).toBe(SNAPSHOT)
    const answer = await answerOf(response)
    expect(Object.keys(answer)).toEqual([
      'object',
      'model',
      'target_error',
      'profile',
      'n_examples',
      'questions',
      'note',
      'usage',
    ])
    expect(answer).toMatchObject({
      object: 'calibration',
      model: SNAPSHOT,
      target_error: 0.1,
      n_examples: 300,
    })
    const [report] = answer.questions
    expect(report).toMatchObject({
      signature: expect.stringMatching(/^[0-9a-f]+$/),
      type: 'choice',
      question_ids: ['team'],
      status: 'fitted',
      before: { n: 300, coverage: 1, cutoff: null },
    })
    const shared = ['accuracy', 'ece', 'brier', 'nll', 'mean_confidence', 'coverage', 'cutoff', 'n']
    expect(Object.keys(report?.before ?? {})).toEqual(shared)
    expect(Object.keys(report?.after ?? {})).toEqual([
      ...shared,
      'temperature',
      'coverage_at_target_error',
      'error_when_covered',
    ])
    expect(openProfile(answer.profile, [profileKey])).toMatchObject({ snapshot: SNAPSHOT })
  })

  it('warns of labels that contradict the answers, by the ids of the question and in numbers alone', async () => {
    const { post } = setup()
    const swapped = examples().map(({ state, questions: { team } }) => ({
      state,
      questions: { team: { ...team, label: team.label === 'billing' ? 'sales' : 'billing' } },
    }))
    const { warnings } = await answerOf(await post(PATH, { examples: swapped, other: 1 }))
    expect(warnings).toEqual([
      'unknown field ignored: other',
      'team: the temperature is at its limit, because the labels contradict the answers: are they swapped?',
      expect.stringMatching(/^team: the answers are right for \d+ of 300 labels, no more than always /),
      'team: options that never occur among the labels: 1 of 3',
    ])
  })

  it('warns of a question whose words change from example to example', async () => {
    const { post } = setup()
    const drifting = examples().map(({ state, questions: { team } }, index) => ({
      state,
      questions: { team: index % 2 ? { ...team, instructions: 'Which team ?' } : team },
    }))
    const { questions, warnings } = await answerOf(await post(PATH, { examples: drifting }))
    expect(questions).toHaveLength(2)
    expect(warnings).toEqual(['team: asked in more than one wording, each of which is fitted by itself'])
  })

  it('gives the accuracy of always giving the commonest label with what the report draws', async () => {
    const { post } = setup()
    const { questions, warnings } = await answerOf(await post(PATH, { examples: examples(), curves: true }))
    const counts = TEAMS.map(
      name => examples().filter(({ questions: { team } }) => team.label === name).length,
    )
    expect(questions[0]?.curves?.commonest_label).toBe(Math.max(...counts) / 300)
    expect(warnings).toBeUndefined()
  })

  it('bills every example once, as the scorer counted it', async () => {
    const { post, settled } = setup()
    const { usage } = await answerOf(await post(PATH, { examples: examples() }))
    expect(usage.input_tokens).toBe(
      (usage.state_tokens ?? 0) + (usage.question_tokens ?? 0) + (usage.framing_tokens ?? 0),
    )
    // 4 around the state, 3 for the question, 2 for each of three options.
    expect(usage.framing_tokens).toBe(300 * 13)
    expect(usage.output_tokens).toBe(0)
    expect(settled).toEqual([
      {
        reservation: 'reservation 1',
        spent: { inputTokens: usage.input_tokens, costNanodollars: (usage.input_tokens ?? 0) * 100 },
      },
    ])
  })

  it('reports a question with too few labels alongside one that is fitted', async () => {
    const { post } = setup()
    const mixed = examples().map((example, index) =>
      index < 49
        ? { ...example, questions: { ...example.questions, urgent: { ...URGENT, label: true } } }
        : example,
    )
    const { questions } = await answerOf(await post(PATH, { examples: mixed }))
    expect(questions[1]).toMatchObject({
      status: 'too_few_examples',
      type: 'noul',
      before: { n: 49 },
      after: null,
    })
  })

  it('lets other requests have the processor after each question', async () => {
    let reached = 0
    const { post } = setup({
      pause: async () => {
        reached += 1
        // Nothing follows until this has settled: a fit that took no breath would be over by now.
        if (reached === 2) throw new Error('between two questions')
      },
    })
    const two = examples().map(example => ({
      ...example,
      questions: { ...example.questions, urgent: { ...URGENT, label: true } },
    }))
    expect((await post(PATH, { examples: two })).status).toBe(500)
    expect(reached).toBe(2)
  })

  it('tells the scorer whose state it is by a tag', async () => {
    const tenants = new Set<string>()
    const { post } = setup({
      scorer: {
        score: (units, limit) => {
          for (const { tenant } of units) tenants.add(tenant)
          return scorerThatReadsLogits(units, limit)
        },
      },
    })
    await answerOf(await post(PATH, { examples: examples() }))
    expect([...tenants]).toEqual(['tag of acct_test'])
  })

  it('takes 5,000 examples in chunks, and keeps their order', async () => {
    const { post, calls } = setup()
    const { questions, n_examples } = await answerOf(
      await post(PATH, { examples: examples(5_000), target_error: 0.1 }),
    )
    expect(n_examples).toBe(5_000)
    expect(calls.length).toBeGreaterThan(5)
    expect(calls.reduce((sum, units) => sum + units, 0)).toBe(5_000)
    // Labels matched with the wrong logits would be right a third of the time.
    expect(questions[0]?.before.accuracy).toBeGreaterThan(0.8)
  })

  it('logs one row, with nothing but counts', async () => {
    const { post, recorded } = setup()
    await post(PATH, { examples: examples() })
    expect(recorded).toMatchObject([
      { path: PATH, status: 200, model: SNAPSHOT, questionCount: 300, errorCode: null },
    ])
  })
})

describe('POST /v1/calibrations → 4xx', () => {
  it.each<[string, object | string, number, string, string | undefined]>([
    ['invalid JSON', '{"examples":[', 422, 'invalid_schema', 'body'],
    ['an unknown model', { examples: [], model: 'gpt-9' }, 404, 'model_not_found', undefined],
    ['199 examples', { examples: examples(199) }, 422, 'too_few_examples', 'examples'],
    ['5,001 examples', { examples: Array(5_001).fill(0) }, 422, 'too_many_examples', 'examples'],
    ['a target_error of 0', { examples: examples(), target_error: 0 }, 422, 'invalid_schema', 'target_error'],
    [
      'a target_error of 0.5',
      { examples: examples(), target_error: 0.5 },
      422,
      'invalid_schema',
      'target_error',
    ],
    [
      'a label outside the options',
      { examples: examples().with(7, { state: 'x', questions: { team: { ...TEAM, label: 'nobody' } } }) },
      422,
      'invalid_schema',
      'examples.7.questions.team.label',
    ],
    [
      'no question with 50 labels',
      {
        examples: examples().map((one, index) => ({
          ...one,
          questions: { q: { ...URGENT, text: undefined, instructions: `${index >> 2}`, label: true } },
        })),
      },
      422,
      'too_few_examples_per_question',
      'examples',
    ],
  ])('refuses %s, scores nothing and charges nothing', async (_, body, status, code, param) => {
    const { post, calls, settled } = setup()
    expect(await errorOf(await post(PATH, body))).toEqual({ status, code, param })
    expect(calls).toEqual([])
    expect(settled.map(({ spent }) => spent)).toEqual([{ inputTokens: 0, costNanodollars: 0 }])
  })

  it.each<[string, UnitAnswer, string, string]>([
    ['state is', { kind: 'state_too_long', limit: 65_536 }, 'state_too_long', 'state'],
    [
      'instructions are',
      { kind: 'instructions_too_long', question: 1, limit: 256 },
      'invalid_schema',
      'questions.urgent.instructions',
    ],
  ])(
    'names the example whose %s too long, scores none of the others and charges nothing',
    async (_, refused, code, field) => {
      const { post, calls, settled } = setup({
        scorer: {
          score: async (units, limit) => {
            const answer = await scorerThatReadsLogits(units, limit)
            return {
              ...answer,
              units: answer.units.map((unit, index) =>
                units[index]?.state.text === 'long' ? refused : unit,
              ),
            }
          },
        },
      })
      const questions = { team: { ...TEAM, label: 'other' }, urgent: { ...URGENT, label: true } }
      const sent = examples().with(299, { state: 'long', questions })
      expect(await errorOf(await post(PATH, { examples: sent }))).toEqual({
        status: 422,
        code,
        param: `examples.299.${field}`,
      })
      expect(calls).toEqual([])
      expect(settled[0]?.spent.costNanodollars).toBe(0)
    },
  )

  it('needs a key', async () => {
    const { fetch } = setup()
    const response = await fetch(PATH, { method: 'POST', body: '{}' })
    expect(await errorOf(response)).toMatchObject({ status: 401, code: 'missing_api_key' })
  })

  it('answers only to POST', async () => {
    const { get } = setup()
    expect(await errorOf(await get(PATH))).toMatchObject({ status: 405, code: 'method_not_allowed' })
  })
})

describe('POST /v1/calibrations → 503', () => {
  const timeout = () => new Problem('engine_timeout', 'late', { retryAfterSeconds: 2 })

  it('survives chunks that fail once', async () => {
    let calls = 0
    const { post } = setup({
      scorer: {
        score: (units, limit) => {
          if (!units[0]?.checkOnly) calls += 1
          if (calls % 5 === 1) throw timeout()
          return scorerThatReadsLogits(units, limit)
        },
      },
    })
    expect((await answerOf(await post(PATH, { examples: examples(2_000) }))).n_examples).toBe(2_000)
  })

  it('charges nothing if a chunk fails twice, even if others were scored', async () => {
    let calls = 0
    const { post, settled } = setup({
      scorer: {
        score: (units, limit) => {
          if (!units[0]?.checkOnly) calls += 1
          if (calls > 2) throw timeout()
          return scorerThatReadsLogits(units, limit)
        },
      },
    })
    const response = await post(PATH, { examples: examples(5_000) })
    expect(response.headers.get('retry-after')).toBe('2')
    expect(await errorOf(response)).toMatchObject({ status: 503, code: 'engine_timeout' })
    expect(settled.map(({ spent }) => spent)).toEqual([{ inputTokens: 0, costNanodollars: 0 }])
  })
})
