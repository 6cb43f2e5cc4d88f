import { count, percent } from '../ui/format.ts'
import { Table } from '../ui/table.tsx'
import type { QuestionReport } from './report.ts'

/** One line for each distinct question: what it was worth before, and what it is worth now. */
export const SignatureTable = ({ questions }: { questions: readonly QuestionReport[] }) => (
  <Table
    caption="Report by question"
    columns={[
      'Question',
      'Status',
      'Labels',
      'Accuracy',
      'Calibration error',
      'Log loss',
      'Temperature',
      'Cutoff',
      'Answered',
      'Wrong when answered',
    ]}
  >
    {questions.map(({ signature, ids, type, status, before, after }) => (
      <tr key={signature}>
        <th scope="row">
          <span class="mono">{ids.join(', ')}</span>
          <span class="muted small block">
            {type} · <span class="mono">{signature.slice(0, 8)}</span>
          </span>
        </th>
        <td>
          <span class={status === 'fitted' ? 'tag good' : 'tag warn'}>{status.replaceAll('_', ' ')}</span>
        </td>
        <td>{count((after ?? before)?.n ?? 0)}</td>
        <td>{before === null ? '–' : percent(before.accuracy)}</td>
        <td>
          <Change from={before?.ece} to={after?.ece} />
        </td>
        <td>
          <Change from={before?.nll} to={after?.nll} />
        </td>
        <td>{after === null ? '–' : after.temperature.toFixed(2)}</td>
        {answered(after).map(figure => (
          <td>{figure}</td>
        ))}
      </tr>
    ))}
  </Table>
)

/** The cutoff, how many it answers, and how many of these are wrong. */
const answered = (after: QuestionReport['after']): string[] => {
  if (after === null) return ['–', '–', '–']
  // Some of the folds may have certified one of their own; the profile answers nothing all the same.
  if (after.cutoff === null) return ['none holds', percent(0), '–']
  const wrong = after.errorWhenCovered
  return [after.cutoff.toFixed(3), percent(after.coverageAtTarget), wrong === null ? '–' : percent(wrong)]
}

const Change = ({ from, to }: { from: number | undefined; to: number | undefined }) => (
  <>
    {from === undefined ? '–' : from.toFixed(3)}
    {to !== undefined && (
      <>
        {' → '}
        <b>{to.toFixed(3)}</b>
      </>
    )}
  </>
)
