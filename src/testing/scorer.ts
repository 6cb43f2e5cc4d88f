import {
  type Pass,
  PROTOCOL,
  type ScoredQuestion,
  type ScoreUnit,
  type SnapshotInfo,
  type UnitQuestion,
} from '../../scorer/protocol.ts'
import type { Scorer } from '../scorer/scorer.ts'

export const SNAPSHOT = 'decider-preview-2026-10-13'

export const snapshotInfo: SnapshotInfo = {
  id: SNAPSHOT,
  released: '2026-10-13',
  status: 'preview',
  base: 'decider-1',
  max_state_tokens: 65_536,
  modalities: ['text'],
  retire_after: null,
}

/** Follows the protocol to the letter; a token is a character, and each option is likelier than the one read after it. */
export const scorerThatPrefersTheFirst = (): Scorer => ({
  score: async units => ({
    units: units.map(unit => (unit.checkOnly ? { kind: 'within_limits' } : scored(unit))),
    runMs: 1,
  }),
  health: async () => ({
    ok: true,
    ready: true,
    version: '0.0.0',
    protocol: PROTOCOL,
    engine: 'test engine',
    region: 'us',
    snapshots: [snapshotInfo],
    aliases,
  }),
  catalogue: async () => ({ snapshots: [snapshotInfo], aliases }),
})

const aliases = { 'decider-1': SNAPSHOT, decider: SNAPSHOT }

const scored = ({ state, questions, reverse }: ScoreUnit) => ({
  kind: 'scored' as const,
  stateTokens: state.text.length,
  stateFramingTokens: 4,
  cached: false,
  questions: questions.map((question): ScoredQuestion => {
    const pass = passOver(question)
    const again = reverse && question.type === 'choice' && question.options.length > 1
    return { ...pass, reversed: again ? { ...pass, logits: pass.logits.toReversed() } : null }
  }),
})

const passOver = (question: UnitQuestion): Pass => {
  const texts =
    question.type === 'choice'
      ? question.options.flat()
      : question.type === 'noul'
        ? question.sides
        : question.levels
  const options = question.type === 'choice' ? question.options.length : texts.length
  return {
    logits: Array.from({ length: options }, (_, option) => -option),
    questionTokens: [question.instructions, ...texts].reduce((sum, text) => sum + (text?.length ?? 0), 0),
    framingTokens: 3 + 2 * options,
  }
}
