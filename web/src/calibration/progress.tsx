import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { RefusalNote } from '../shell/refusal-note.tsx'
import { UnansweredNote } from '../shell/unanswered-note.tsx'
import { FleetingButton } from '../ui/fleeting-button.tsx'
import { count } from '../ui/format.ts'
import { cancel, file, job } from './job.ts'

/** The progress of a calibration, or why it failed. */
export const Progress = () => {
  const now = job.value
  if (now.kind === 'idle') return null
  // Tells screen readers, in the same place as the progress, that the report has appeared.
  if (now.kind === 'done') {
    return (
      <div class="unseen" role="status">
        The calibration is done. Its report follows.
      </div>
    )
  }
  if (now.kind === 'unreachable') return <UnansweredNote />
  if (now.kind === 'refused') {
    return <RefusalNote {...now}>{now.line !== null && `, line ${count(now.line)} of the file`}</RefusalNote>
  }
  return (
    <div class="progress" role="status">
      {now.kind === 'sending' ? (
        <>
          <p>Sending the examples</p>
          <progress aria-label="Sent" max={1} value={now.share} />
        </>
      ) : (
        <>
          <p>
            Scoring {count(file.value?.examples ?? 0)} examples and fitting <Elapsed since={now.since} />
          </p>
          <progress aria-label="Scoring" />
          <p class="muted small">Cancelling ends the wait. Work already begun may be charged.</p>
        </>
      )}
      <FleetingButton class="link" heir=".run-calibration .primary" onClick={cancel}>
        Cancel
      </FleetingButton>
    </div>
  )
}

const Elapsed = ({ since }: { since: number }) => {
  const seconds = useSignal(0)
  useEffect(() => {
    const timer = setInterval(() => {
      seconds.value = Math.round((performance.now() - since) / 1000)
    }, 500)
    return () => clearInterval(timer)
  }, [since])
  return (
    <span class="muted" aria-hidden="true">
      {seconds.value} s
    </span>
  )
}
