import { FieldError } from '../ui/field-error.tsx'
import * as desk from './desk.ts'
import { EXAMPLES } from './examples/examples.ts'

const NOT_LOADED = 'That example could not be loaded. Try again, or reload the page.'

export const ExamplePicker = () => (
  <>
    <fieldset class="examples">
      <legend class="unseen">Examples</legend>
      {EXAMPLES.map(({ title, load }) => (
        <button
          type="button"
          class="chip"
          aria-pressed={desk.example.value.title === title}
          onClick={() => void desk.bring(load(), NOT_LOADED)}
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
