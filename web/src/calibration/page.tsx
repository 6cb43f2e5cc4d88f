import { useSignal } from '@preact/signals'
import { askForKey } from '../shell/key.tsx'
import { key } from '../shell/session.ts'
import { Title } from '../shell/title.tsx'
import { Check } from '../ui/check.tsx'
import { FieldError, faultyBy } from '../ui/field-error.tsx'
import { ExamplesDrop } from './examples-drop.tsx'
import {
  type Fitted,
  file,
  fitted,
  job,
  model,
  offsets,
  start,
  targetError,
  targetPercent,
  type UnreadAnswer,
  underWay,
} from './job.ts'
import { Progress } from './progress.tsx'
import { ReportView } from './report-view.tsx'
import { UnreadReport } from './unread-report.tsx'

export const Calibration = () => (
  <div class="page">
    <div class="intro">
      <Title>Know when to trust an answer</Title>
      <p class="muted">
        Label a few hundred of your own examples and get a calibration profile. Pass the profile with a
        request, and every answer says whether it is sure enough for the error you accept. If not, it
        abstains.
      </p>
    </div>
    <div class="card calibrate">
      <ExamplesDrop />
      {file.value !== null && <Run />}
      <Progress />
    </div>
    {fitted.value !== null && !underWay() && <Report of={fitted.value} />}
  </div>
)

const Report = ({ of }: { of: Fitted | UnreadAnswer }) =>
  'answer' in of ? <UnreadReport {...of} /> : <ReportView {...of} />

const Run = () => {
  const busy = underWay()
  // The service would refuse such a file, or would not get all of it. What is wrong with it stands above.
  const unfit = (file.value?.problems.length ?? 0) > 0
  const tried = useSignal(false)
  const problem = tried.value && targetError() === null ? 'Enter more than 0 and less than 50 percent.' : null
  const noSuchModel = job.value.kind === 'refused' && job.value.code === 'model_not_found'
  return (
    <form
      class="row run-calibration"
      onSubmit={event => {
        event.preventDefault()
        if (busy || unfit) return
        // Until then a target is still being typed.
        tried.value = true
        if (targetError() === null) return
        if (key.value === null) askForKey()
        else void start()
      }}
    >
      <div class="stacked">
        <label for="target-error">Target error, percent</label>
        <input
          id="target-error"
          inputMode="decimal"
          {...faultyBy('target-error-problem', problem !== null)}
          value={targetPercent.value}
          onInput={event => (targetPercent.value = event.currentTarget.value)}
        />
        <FieldError id="target-error-problem" role="alert" message={problem} />
      </div>
      <label class="stacked">
        Model
        <input
          class="mono"
          placeholder="decider-1"
          spellcheck={false}
          aria-invalid={noSuchModel}
          value={model.value}
          onInput={event => (model.value = event.currentTarget.value)}
        />
      </label>
      <Check value={offsets}>
        <span>
          Correct how the model leans
          <span class="muted small block">
            Also fits an offset for each option. It may change which option wins.
          </span>
        </span>
      </Check>
      <button type="submit" class="primary" aria-disabled={busy || unfit}>
        Calibrate
      </button>
    </form>
  )
}
