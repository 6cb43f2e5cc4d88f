// What calibration tests share: labelled examples, and a model that says what their states tell it to.
import { expect } from 'vitest'
import type { ScoreUnit } from '../../scorer/protocol.ts'
import { seededRandom } from '../calibration/simulation/random.ts'
import type { CalibrationResponse } from '../calibration/wire.ts'
import type { Scorer } from '../scorer/scorer.ts'
import { scorerThatPrefersTheFirst } from './scorer.ts'
import { setup as edge, type Given } from './setup.ts'

export const PATH = '/v1/calibrations'
export const TEAM = {
  type: 'choice',
  instructions: 'Which team?',
  criteria: { billing: null, other: null, sales: null },
}
export const URGENT = { type: 'noul', instructions: 'Is it urgent?' }
export const TEAMS = ['billing', 'other', 'sales']

/** Takes its logits from the state, so that a test decides what the model says. */
export const scorerThatReadsLogits: Scorer['score'] = async (units, limit) => {
  const answer = await scorerThatPrefersTheFirst().score(units, limit)
  const said = (unit: ScoreUnit | undefined) => unit?.state.text.split(' ').map(Number) ?? []
  return {
    ...answer,
    units: answer.units.map((unit, index) =>
      unit.kind === 'scored'
        ? {
            ...unit,
            questions: unit.questions.map(question => {
              const logits = said(units[index]).slice(0, question.logits.length)
              return { ...question, logits, reversed: question.reversed && { ...question.reversed, logits } }
            }),
          }
        : unit,
    ),
  }
}
/** `calls` lists how many units each call had scored, without those that were only checked. */
export const setup = (given: Given = {}) => {
  const calls: number[] = []
  const score: Scorer['score'] = async (units, limit) => {
    if (!units[0]?.checkOnly) calls.push(units.length)
    return (given.scorer?.score ?? scorerThatReadsLogits)(units, limit)
  }
  return { ...edge({ ...given, scorer: { ...given.scorer, score } }), calls }
}

/** An overconfident model that is right about nine times in ten, and surer when it is right. */
export const examples = (count = 300) => {
  const random = seededRandom(3)
  return Array.from({ length: count }, () => {
    const label = Math.floor(3 * random())
    const logits = [0, 1, 2].map(option => 8 * random() + (option === label ? 9 : 0))
    return {
      state: logits.map(logit => logit.toFixed(3)).join(' '),
      questions: { team: { ...TEAM, label: TEAMS[label] } },
    }
  })
}

export const answerOf = async (response: Response): Promise<CalibrationResponse> => {
  expect(response.status).toBe(200)
  return (await response.json()) as CalibrationResponse
}
export const errorOf = async (response: Response) => {
  const { error } = (await response.json()) as { error: { code: string; param?: string } }
  return { status: response.status, code: error.code, param: error.param }
}
