import { hasCutoff, hasNoCutoff, NO_CUTOFF } from '../../../src/calibration/no-cutoff.ts'
import type { CalibrationQuestionReport } from '../../../src/calibration/wire.ts'
import { writtenTarget } from '../../../src/calibration/written-target.ts'
import { CopyButton } from '../ui/copy.tsx'
import { count, dollars, milliseconds } from '../ui/format.ts'
import { type Fitted, openInPlayground } from './job.ts'
import { CoveragePicture, ReliabilityPicture } from './pictures.tsx'
import { SignatureTable } from './signature-table.tsx'

export const ReportView = ({ report, tookMs, examples }: Fitted) => (
  <section class="page" aria-label="Report">
    <div class="card profile">
      <h2>Your profile</h2>
      <p class="muted">
        Fitted to {count(report.n_examples)} examples from <b>{examples.name}</b> on{' '}
        <span class="mono">{report.model}</span>, for a target error of {writtenTarget(report.target_error)}{' '}
        among the answers given. It took {milliseconds(tookMs)} and cost {dollars(report.usage.cost_usd)}.
      </p>
      {!report.questions.some(hasCutoff) && (
        <p class="warn-text">
          No question has a cutoff: this profile calibrates probabilities, but answers nothing.
        </p>
      )}
      <textarea
        class="mono token"
        readOnly
        autocomplete="off"
        rows={3}
        aria-label="Profile token"
        value={report.profile}
      />
      <div class="row">
        <button type="button" class="primary" onClick={() => openInPlayground(report, examples.first)}>
          Use it in the playground
        </button>
        <CopyButton text={() => report.profile} label="Copy the token" />
        <a class="quiet" download="profile.txt" href={`data:text/plain,${report.profile}`}>
          Download profile.txt
        </a>
      </div>
    </div>
    <div class="card">
      <h2>Questions</h2>
      {report.warnings?.map(warning => (
        <p class="warn-text">{warning}</p>
      ))}
      <SignatureTable questions={report.questions} />
      {report.questions.some(hasNoCutoff) && <p class="warn-text">{NO_CUTOFF}</p>}
      <p class="muted small">{report.note}</p>
    </div>
    {report.questions.map(question => (
      <Pictures key={question.signature} question={question} targetError={report.target_error} />
    ))}
  </section>
)

const Pictures = ({
  question,
  targetError,
}: {
  question: CalibrationQuestionReport
  targetError: number
}) => {
  const { after, curves } = question
  if (after === null || curves === undefined) return null
  const name = question.question_ids.join(', ')
  return (
    <section class="charts pair" aria-label={name}>
      <div class="card">
        <ReliabilityPicture name={name} curves={curves} />
      </div>
      <div class="card">
        <CoveragePicture name={name} after={after} curves={curves} targetError={targetError} />
      </div>
    </section>
  )
}
