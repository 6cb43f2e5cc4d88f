import type { KnownRows, TokenisedQuestion } from './backend.ts'
import { inOrder, stopIfOver } from './in-order.ts'
import { type Job, readOut } from './job.ts'
import { readLong } from './long-questions.ts'
import { lotsOf } from './lots.ts'
import { MAX_ROWS, pieceOfQuestion, rowsOf } from './pieces.ts'
import { segmentsOf } from './segments.ts'
import { Tally } from './tally.ts'

/** Reads questions against a state. How one is read depends on nothing but itself. */
export const readQuestions = async (
  job: Job,
  questions: readonly TokenisedQuestion[],
  known: KnownRows,
): Promise<Float32Array[]> => {
  // A job may end before it comes to the state: that one fails as well must not count as unheard.
  job.state.catch(() => {})
  const logits: Float32Array[] = questions.map(() => new Float32Array())
  const all = questions.map((question, index) => ({ question, index }))
  const groups = groupsOf(all.filter(({ question }) => rowsOf(question) <= MAX_ROWS))
  const answered: Promise<unknown>[] = []
  const read = (group: readonly Asked[]) => {
    const answers = readGroup(job, group, known, answered.at(-job.pool.workers - 1))
    answered.push(answers.catch(() => {}))
    return answers
  }
  for await (const [group, answers] of inOrder(groups, read, GROUPS_AHEAD * job.pool.workers, job.signal)) {
    for (const [n, { index }] of group.entries()) logits[index] = answers[n] ?? new Float32Array()
  }
  for (const { question, index } of all) {
    if (rowsOf(question) > MAX_ROWS) logits[index] = await readLong(job, question)
  }
  return logits
}

type Asked = { readonly question: TokenisedQuestion; readonly index: number }

/** Rows that are compared with the state in one go: few enough that the workers share a request's questions. */
const ROWS_TOGETHER = 128

/** Groups under way together, so that their questions fill the runs they ride in. */
const GROUPS_AHEAD = 4

/** To compare questions with a longer state takes as long as to read blocks of it: of those few go ahead. */
const LONG_STATE = 16_384

/** Questions on the same part of the state, as many as are compared in one go. */
const groupsOf = (asked: readonly Asked[]): Iterable<readonly Asked[]> =>
  lotsOf(asked, ROWS_TOGETHER, ({ question }) => rowsOf(question), sameFocus)

const sameFocus = ({ question: { focus: a } }: Asked, { question: { focus: b } }: Asked): boolean =>
  a.length === b.length && a.every(([start, end], i) => b[i]?.[0] === start && b[i]?.[1] === end)

/** Reads at once, and compares with a long state once `before` has been answered. */
const readGroup = async (
  job: Job,
  group: readonly Asked[],
  known: KnownRows,
  before: Promise<unknown> | undefined,
): Promise<Float32Array[]> => {
  const { pool, shape } = job
  const questions = group.map(({ question }) => question)
  const rows = joined(await Promise.all(questions.map(question => rowsOfQuestion(job, question, known))))
  const state = await job.state
  if (state.tokens > LONG_STATE) await before
  stopIfOver(job.signal)
  const segments = questions.flatMap((question, n) => segmentsOf(question, n))
  const compared = await pool.run({
    kind: 'compare',
    rows,
    segments,
    state,
    focus: questions[0]?.focus ?? [],
  })
  const tallies = questions.map(question => new Tally(question, shape))
  for (const [n, segment] of segments.entries()) tallies[segment.question]?.add(segment, n, compared)
  return readOut(job, tallies)
}

const joined = (parts: readonly Float32Array[]): Float32Array => {
  const all = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** A question's rows: those that someone read or is reading, or its own. */
const rowsOfQuestion = (
  { pool, shape }: Job,
  question: TokenisedQuestion,
  known: KnownRows,
): Promise<Float32Array> => {
  const read = () =>
    pool.run({ kind: 'piece', piece: pieceOfQuestion(question.instruction, question.options) })
  const there = known.get(question.key)
  if (there !== undefined) return there.catch(read)
  const rows = read()
  known.keep(question.key, rowsOf(question) * shape.width * Float32Array.BYTES_PER_ELEMENT, rows)
  return rows
}
