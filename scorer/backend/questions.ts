import type { TokenisedQuestion } from './backend.ts'
import { inOrder, stopIfGone } from './in-order.ts'
import type { Job } from './job.ts'
import { rowsOf } from './known-rows.ts'
import { readLong } from './long-questions.ts'
import { lotsOf } from './lots.ts'
import { MAX_ROWS, pieceOfQuestion, rowCountOf } from './pieces.ts'
import { segmentsOf } from './segments.ts'
import { outlineOf } from './tally.ts'

/** Scores questions against a state. How a question is handled depends on nothing but the question itself. */
export const readQuestions = async (
  job: Job,
  questions: readonly TokenisedQuestion[],
): Promise<Float32Array[]> => {
  // A job may end before it awaits the state: if the state then fails too, that is not an unhandled rejection.
  job.state.catch(() => {})
  const logits: Float32Array[] = questions.map(() => new Float32Array())
  const all = questions.map((question, index) => ({ question, index }))
  const groups = groupsOf(all.filter(({ question }) => rowCountOf(question) <= MAX_ROWS))
  const answered: Promise<unknown>[] = []
  const read = (group: readonly Asked[]) => {
    const answers = readGroup(job, group, answered.at(-job.pool.workers - 1))
    answered.push(answers)
    return answers
  }
  for await (const [group, answers] of inOrder(groups, read, GROUPS_AHEAD * job.pool.workers, job.waiter)) {
    for (const [n, { index }] of group.entries()) logits[index] = answers[n] ?? new Float32Array()
  }
  for (const { question, index } of all) {
    if (rowCountOf(question) > MAX_ROWS) logits[index] = await readLong(job, question)
  }
  return logits
}

type Asked = { readonly question: TokenisedQuestion; readonly index: number }

/** Rows compared with the state in one step: few enough for the workers to share a request's questions. */
const ROWS_TOGETHER = 128

/** Groups in progress per worker, so that their questions fill the runs they share. */
const GROUPS_AHEAD = 4

/** Comparing questions with a longer state takes as long as encoding blocks of it, so few comparisons run ahead. */
const LONG_STATE = 16_384

/** Groups of questions on the same part of the state, each small enough to compare in one step. */
const groupsOf = (asked: readonly Asked[]): Iterable<readonly Asked[]> =>
  lotsOf(asked, ROWS_TOGETHER, ({ question }) => rowCountOf(question), sameFocus)

const sameFocus = ({ question: { focus: a } }: Asked, { question: { focus: b } }: Asked): boolean =>
  a.length === b.length && a.every(([start, end], i) => b[i]?.[0] === start && b[i]?.[1] === end)

/** Encodes the group at once. If the state is long, compares the group with it only once `before` has ended. */
const readGroup = async (
  job: Job,
  group: readonly Asked[],
  before: Promise<unknown> | undefined,
): Promise<Float32Array[]> => {
  const { pool, shape } = job
  const questions = group.map(({ question }) => question)
  const encoded = questions.map(({ key, instruction, options }) =>
    rowsOf(job, key, 0, pieceOfQuestion(instruction, options)),
  )
  const rows = joined(await Promise.all(encoded))
  const state = await job.state
  if (state.tokens > LONG_STATE) await before
  stopIfGone(job.waiter)
  const segments = questions.flatMap((question, n) => segmentsOf(question, n))
  return pool.run({
    kind: 'answer',
    questions: questions.map(question => outlineOf(question, shape)),
    rows,
    segments,
    state,
    focus: questions[0]?.focus ?? [],
  })
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
