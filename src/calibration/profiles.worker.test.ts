import { describe, expect, it } from 'vitest'
import { answerOf, errorOf, examples, PATH, setup, TEAM, TEAMS, URGENT } from '../testing/calibrations.ts'

describe('a profile on decisions', () => {
  type Decided = {
    answers: Record<
      string,
      {
        probabilities: Record<string, number>
        logits: Record<string, number>
        confidence: number
        decider: { calibrated: boolean; abstain: boolean | null; p_top: number }
      }
    >
  }
  const fitted = async () => {
    const service = setup()
    const { profile, questions } = await answerOf(
      await service.post(PATH, { examples: examples(), target_error: 0.1 }),
    )
    const decide = async (state: string, more: object = {}, question: object = TEAM) => {
      const body = { state, questions: { anything: question }, calibration: profile, ...more }
      const response = await service.post('/v1/decisions', body)
      expect(response.status).toBe(200)
      const { answers } = (await response.json()) as Decided
      return { answer: answers.anything ?? expect.fail('no answer') }
    }
    const after = questions[0]?.after
    if (!after) throw new Error('not fitted')
    return { ...service, profile, after, decide }
  }

  it('scales logits and everything derived from them', async () => {
    const { decide, after } = await fitted()
    const { temperature } = after
    const { answer } = await decide('9 3 1')
    expect(answer.logits).toEqual({
      billing: 9 / temperature,
      other: 3 / temperature,
      sales: 1 / temperature,
    })
    const powers = [9, 3, 1].map(logit => Math.exp((logit - 9) / temperature))
    const sum = powers.reduce((total, power) => total + power, 0)
    expect(answer.decider).toMatchObject({ calibrated: true, p_top: expect.closeTo(1 / sum, 12) })
    expect(answer.probabilities.other).toBeCloseTo((powers[1] ?? 0) / sum, 12)
    expect(answer.confidence).toBeCloseTo((1 / sum - 1 / 3) / (1 - 1 / 3), 12)
  })

  it('corrects the leaning of a model, if offsets were asked for', async () => {
    const service = setup()
    // The scorer reads its logits from the state: it calls everything billing that is not clearly something else.
    const leaning = examples().map(({ state, questions }) => {
      const [billing = 0, ...others] = state.split(' ').map(Number)
      return { state: [billing + 9, ...others].join(' '), questions }
    })
    const fitted = async (offsets: boolean) => {
      const { profile, questions } = await answerOf(await service.post(PATH, { examples: leaning, offsets }))
      return { profile, after: questions[0]?.after ?? expect.fail('not fitted') }
    }
    const [plain, corrected] = [await fitted(false), await fitted(true)]
    expect(plain.after).not.toHaveProperty('offsets')
    expect(Object.keys(corrected.after.offsets ?? {})).toEqual(TEAMS)
    expect(corrected.after.accuracy).toBeGreaterThan(plain.after.accuracy + 0.1)
    const decide = async (calibration: string) => {
      const body = { state: '9 6 0', questions: { q: TEAM }, calibration }
      return ((await (await service.post('/v1/decisions', body)).json()) as Decided).answers.q
    }
    expect(await decide(plain.profile)).toMatchObject({ choice: 'billing' })
    const answer = (await decide(corrected.profile)) ?? expect.fail('no answer')
    expect(answer).toMatchObject({ choice: 'other', decider: { calibrated: true } })
    const { temperature, offsets = {} } = corrected.after
    expect(answer.logits.billing).toBeCloseTo((9 + (offsets.billing ?? 0)) / temperature, 9)
  })

  it('abstains below the cutoff and answers at and above it', async () => {
    const { decide, after } = await fitted()
    expect((await decide('20 0 0')).answer.decider.abstain).toBe(false)
    expect((await decide('5 4.9 4.8')).answer.decider).toMatchObject({ calibrated: true, abstain: true })
    expect(after.cutoff).not.toBeNull()
  })

  it('always abstains if nothing could be certified', async () => {
    const service = setup()
    const { profile } = await answerOf(
      await service.post(PATH, { examples: examples(), target_error: 0.001 }),
    )
    const response = await service.post('/v1/decisions', {
      state: '90 0 0',
      questions: { q: TEAM },
      calibration: profile,
    })
    expect(((await response.json()) as Decided).answers.q?.decider).toMatchObject({
      calibrated: true,
      abstain: true,
    })
  })

  it('leaves a question it was not fitted on unchanged', async () => {
    const { decide } = await fitted()
    const { answer } = await decide('1 2', {}, URGENT)
    expect(answer.logits).toEqual({ false: 2, true: 1 })
    expect(answer.decider).toMatchObject({ calibrated: false, abstain: null })
  })

  it.each([
    { type: 'choice', text: 'Which team?', options: TEAMS },
    { type: 'choice', text: 'Which team?', choices: TEAMS.map(value => ({ value })) },
    { type: 'choice', instructions: 'Which team?', criteria: { sales: null, other: null, billing: null } },
  ])('recognises its question in every spelling and order: %j', async question => {
    const { decide } = await fitted()
    expect((await decide('9 3 1', {}, question)).answer.decider.calibrated).toBe(true)
  })

  it('works with order_invariant', async () => {
    const { decide, after } = await fitted()
    const { answer } = await decide('9 3 1', { order_invariant: true })
    const plain = (await decide('9 3 1')).answer
    expect(answer.decider).toMatchObject({ calibrated: true, p_top: expect.closeTo(plain.decider.p_top, 12) })
    const [billing = 0, other = 0] = Object.values(answer.logits).sort((one, two) => two - one)
    expect(billing - other).toBeCloseTo(6 / after.temperature, 12)
  })

  it('works on the alias path', async () => {
    const { post, profile } = await fitted()
    const response = await post('/v1/altdecisions', {
      state: '9 3 1',
      questions: { q: TEAM },
      calibration: profile,
    })
    expect(((await response.json()) as Decided).answers.q?.decider.calibrated).toBe(true)
  })

  it('is refused with 400 when one of its characters is lost or changed', async () => {
    const { post, profile, settled } = await fitted()
    for (const calibration of [
      '',
      'calp1',
      profile.slice(0, -1),
      profile.replace(/.$/, 'é'),
      `${profile} `,
    ]) {
      const response = await post('/v1/decisions', { state: '1', questions: { q: TEAM }, calibration })
      expect(await errorOf(response)).toEqual({
        status: 400,
        code: 'invalid_calibration_profile',
        param: 'calibration',
      })
    }
    expect(settled.slice(1).every(({ spent }) => spent.costNanodollars === 0)).toBe(true)
  })
})
