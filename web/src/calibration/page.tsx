import { askForKey } from '../shell/key.tsx'
import { key } from '../shell/session.ts'
import { Title } from '../shell/title.tsx'
import { ExamplesDrop } from './examples-drop.tsx'
import { file, fitted, job, model, offsets, start, targetPercent, underWay } from './job.ts'
import { Progress } from './progress.tsx'
import { ReportView } from './report-view.tsx'

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
    {fitted.value !== null && !underWay() && <ReportView {...fitted.value} />}
  </div>
)

const Run = () => {
  const busy = underWay()
  const faulty = (param: string) => job.value.kind === 'refused' && job.value.param === param
  return (
    <form
      class="row run-calibration"
      onSubmit={event => {
        event.preventDefault()
        if (busy) return
        if (key.value === null) askForKey()
        else void start()
      }}
    >
      <label class="stacked">
        Target error, percent
        <input
          inputMode="decimal"
          aria-invalid={faulty('target_error')}
          value={targetPercent.value}
          onInput={event => (targetPercent.value = event.currentTarget.value)}
        />
      </label>
      <label class="stacked">
        Model
        <input
          class="mono"
          placeholder="decider-1"
          spellcheck={false}
          aria-invalid={faulty('model')}
          value={model.value}
          onInput={event => (model.value = event.currentTarget.value)}
        />
      </label>
      <label class="check" title="Also fits an offset for each option. It may change which option wins.">
        <input
          type="checkbox"
          checked={offsets.value}
          onChange={event => (offsets.value = event.currentTarget.checked)}
        />
        Correct how the model leans
      </label>
      <button type="submit" class="primary" aria-disabled={busy}>
        Calibrate
      </button>
    </form>
  )
}
