import * as desk from './desk.ts'
import { EXAMPLES } from './examples/examples.ts'

export const ExamplePicker = () => (
  <>
    <fieldset class="examples">
      <legend class="unseen">Examples</legend>
      {EXAMPLES.map(({ title, load }) => (
        <button
          type="button"
          class="chip"
          aria-pressed={desk.example.value?.title === title}
          onClick={() => void load().then(desk.putDown, sayUnloaded)}
        >
          {title}
        </button>
      ))}
      <p class="muted small shows">{desk.example.value?.shows}</p>
    </fieldset>
    {desk.notice.value !== null && (
      <p class="field-error" role="alert">
        {desk.notice.value}
      </p>
    )}
  </>
)

const sayUnloaded = () => {
  desk.notice.value = 'That example could not be loaded.'
}
