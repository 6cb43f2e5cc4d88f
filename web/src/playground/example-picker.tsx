import { FieldError } from '../ui/field-error.tsx'
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
        <button type="button" class="link" onClick={bringBack}>
          Bring back what I wrote
        </button>
      </p>
    )}
    <FieldError role="alert" message={desk.notice.value} />
  </>
)

/** The button disappears with this, so the focus moves on first. */
const bringBack = (): void => {
  document.querySelector<HTMLElement>('.examples button')?.focus()
  desk.bringBack.peek()?.()
}
