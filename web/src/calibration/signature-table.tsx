import { heldOutCounts } from '../../../src/calibration/held-out.ts'
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
    {questions.map(({ signature, question_ids, type, status, before, after, curves }) => (
      <tr key={signature}>
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
          <Change
            from={before.accuracy}
            // Only offsets change how many answers are right.
            to={after?.accuracy === before.accuracy ? undefined : after?.accuracy}
            better="higher"
            written={percent}
          />
        </td>
        <td>{after === null || curves === undefined ? '–' : percent(curves.commonest_label)}</td>
        <td>
          <Change from={before.nll} to={after?.nll} better="lower" />
        </td>
        <td>
          <Change from={before.ece} to={after?.ece} better="lower" />
        </td>
        <td>{after === null ? '–' : after.temperature.toFixed(2)}</td>
        {letThrough(after).map(figure => (
          <td>{figure}</td>
        ))}
      </tr>
    ))}
  </Table>
)

/** The cutoff, the share it answers, and how many answers were wrong out of fold. */
const letThrough = (after: CalibrationQuestionReport['after']): string[] => {
  if (after === null) return ['–', '–', '–']
  // Some folds may have certified a cutoff of their own, but the profile has none and answers nothing.
  if (after.cutoff === null) return ['none', percent(0), '–']
  const { answered, wrong } = heldOutCounts(after)
  return [
    after.cutoff.toFixed(3),
    percent(after.coverage),
    answered === 0 ? 'none answered' : `${percent(wrong / answered)} (${count(wrong)} of ${count(answered)})`,
  ]
}

type ChangeProps = {
  from: number
  to: number | undefined
  better: 'higher' | 'lower'
  written?: (figure: number) => string
}

/** A figure before and after, which is bold if it is an improvement. */
const Change = ({ from, to, better, written = figure => figure.toFixed(3) }: ChangeProps) => {
  if (to === undefined) return written(from)
  const improved = better === 'higher' ? to > from : to < from
  return (
    <>
      {written(from)} → {improved ? <b>{written(to)}</b> : written(to)}
    </>
  )
}
