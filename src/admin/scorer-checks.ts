import { NAMED_KEY, PROTOCOL, type ScoreUnit } from '../../scorer/protocol.ts'
import type { ScorerFault } from '../fault.ts'
import { scorerAt } from '../scorer/client.ts'
import type { Scorer } from '../scorer/scorer.ts'
import { readSigningKey } from '../scorer/signature.ts'
import { type Checks, readable, Wrong } from './finding.ts'

const SCORE_DEADLINE_MS = 5_000
/** A tenant that nobody is. */
const NOBODY = 'doctor'

/** Whether the scorer at an address is well, and whether it scores what this secret signs. */
export const scorerChecks = (url: string, secret: string): Checks => ({
  scorer: async () => {
    const health = await scorerWith(url, secret).health()
    if (typeof health === 'string') throw wrong(health)
    const { engine, snapshots, version, protocol } = health
    return `${engine} with ${snapshots.map(({ id }) => id).join(', ')}, version ${version}, protocol ${protocol}`
  },
  'scorer signature': () => scoresWhatWeSign(url, secret),
})

/** Scores one question. Nothing is charged: no key is involved. */
const scoresWhatWeSign = async (url: string, secret: string): Promise<string> => {
  let fault: ScorerFault | undefined
  const scorer = scorerWith(url, secret, heard => {
    fault = heard
  })
  const health = await scorer.health()
  const snapshot = typeof health === 'string' ? undefined : health.snapshots[0]?.id
  if (typeof health === 'string' || snapshot === undefined)
    throw new Wrong('cannot be tested while the scorer does not answer')
  const unit: ScoreUnit = {
    tenant: NOBODY,
    snapshot,
    state: { form: 'text', text: 'Is anybody there?' },
    questions: [{ type: 'noul', instructions: 'Somebody is asked', sides: [null, null] }],
    reverse: false,
  }
  try {
    const { runMs } = await scorer.score([unit], { deadlineMs: SCORE_DEADLINE_MS })
    return `scored a question in ${Math.round(runMs)} ms`
  } catch {
    if (fault === undefined) throw new Wrong('failed')
    const older = fault === 'bad_signature' && health.protocol !== PROTOCOL
    // An old scorer has one word for all of them.
    throw older
      ? new Wrong(`${fault}: it is older than this edge, and speaks another protocol, ${OR_SECRET}`)
      : wrong(fault)
  }
}

const OR_SECRET = 'has another SCORER_SECRET, or its clock is wrong'

const wrong = (fault: ScorerFault): Wrong => new Wrong(`${fault}: ${IN_WORDS[fault]}`)

const IN_WORDS: Record<ScorerFault, string> = {
  unreachable: 'nothing answers there. The scorer or the way to it is down, or the address is wrong',
  late: 'it does not answer in time',
  refused: 'something else answers in its place, such as a proxy that cannot reach it, or time ran out',
  fault: 'it failed. Its log says what did',
  nonsense: 'what answers there is not a scorer',
  too_large: 'what answers there is not a scorer',
  unknown_snapshot: 'the scorers behind this address have different snapshots',
  wrong_version: `it does not speak ${PROTOCOL}. Deploy scorer and edge from the same version`,
  bad_signature:
    'most likely it has another SCORER_SECRET. Its log says within a minute why it refuses signatures',
  clock: 'its SCORER_SECRET is the same, but its clock and ours are more than 30 seconds apart',
  full: 'it has too much to do for a test now',
  draining: 'it is being stopped',
}

export const scorerWith = (
  url: string,
  secret: string,
  report: (fault: ScorerFault) => void = () => {},
): Scorer =>
  scorerAt({
    url,
    key: readable(() => readSigningKey(secret), `cannot be asked: SCORER_SECRET must be ${NAMED_KEY}`),
    tenantSecret: NOBODY,
    now: Date.now,
    report,
  })
