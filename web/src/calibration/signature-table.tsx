import { type Change, figuresOf } from '../../../src/calibration/figures-of-report.ts'
import type { CalibrationQuestionReport } from '../../../src/calibration/wire.ts'
import { count, percent } from '../ui/format.ts'
import { Table } from '../ui/table.tsx'

/** One row per distinct question: its figures before and after calibration. */
export const SignatureTable = ({ questions }: { questions: readonly CalibrationQuestionReport[] }) => (
  <Table
    caption="Report by question"
    columns={[
      'Question',
      'Status',
      'Labels',
      'Accuracy',
      'Commonest label',
      'Log loss',
      'Calibration error',
      'Temperature',
      'Cutoff',
      'Answered',
      'Wrong when answered (out-of-fold check)',
    ]}
  >
    {questions.map(question => (
      <Row key={question.signature} question={question} />
    ))}
  </Table>
)

const Row = ({ question }: { question: CalibrationQuestionReport }) => {
  const { signature, type, question_ids, status, before } = question
  const figures = figuresOf(question)
  return (
    <tr>
      <th scope="row">
        <span class="mono">{question_ids.join(', ')}</span>
        <span class="muted small block">
          {type} · <span class="mono">{signature.slice(0, 8)}</span>
        </span>
      </th>
      <td>
        <span class={status === 'fitted' ? 'tag good' : 'tag warn'}>{status.replaceAll('_', ' ')}</span>
      </td>
      <td>{count(before.n)}</td>
      <td>
        <Changed {...figures.accuracy} better="higher" write={percent} />
      </td>
      <td>{written(figures.commonestLabel, percent)}</td>
      <td>
        <Changed {...figures.nll} better="lower" write={decimal} />
      </td>
      <td>
        <Changed {...figures.ece} better="lower" write={decimal} />
      </td>
      <td>{written(figures.temperature, temperature => temperature.toFixed(2))}</td>
      <td>{written(figures.cutoff, cutoff => (cutoff === 'none' ? cutoff : decimal(cutoff)))}</td>
      <td>{written(figures.coverage, percent)}</td>
      <td>{written(figures.check, wrongOf)}</td>
    </tr>
  )
}

const wrongOf = ({ answered, wrong }: { answered: number; wrong: number }): string =>
  answered === 0 ? 'none answered' : `${percent(wrong / answered)} (${count(wrong)} of ${count(answered)})`

const decimal = (figure: number): string => figure.toFixed(3)

const written = <Figure,>(figure: Figure | null, write: (figure: Figure) => string): string =>
  figure === null ? '–' : write(figure)

type ChangedProps = Change & { better: 'higher' | 'lower'; write: (figure: number) => string }

/** A figure before and after, which is bold if it is an improvement. */
const Changed = ({ before, after, better, write }: ChangedProps) => {
  if (after === null) return write(before)
  const improved = better === 'higher' ? after > before : after < before
  return (
    <>
      {write(before)} → {improved ? <b>{write(after)}</b> : write(after)}
    </>
  )
}
