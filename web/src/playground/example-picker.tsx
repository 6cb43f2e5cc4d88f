import { FieldError } from '../ui/field-error.tsx'
import { FleetingButton } from '../ui/fleeting-button.tsx'
import { notLoaded } from '../ui/not-loaded.ts'
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
          aria-pressed={desk.example.value.title === title}
          onClick={() => void desk.bring(load(), notLoaded('That example'))}
        >
          {title}
        </button>
      ))}
      <p class="muted small shows">{desk.example.value.shows}</p>
    </fieldset>
    {desk.bringBack.value !== null && (
      <p>
        <FleetingButton class="link" heir=".examples button" onClick={() => desk.bringBack.peek()?.()}>
          Bring back what I wrote
        </FleetingButton>
      </p>
    )}
    <FieldError role="alert" message={desk.notice.value} />
  </>
)
