import type { TargetedMouseEvent } from 'preact'
import { FieldError } from '../ui/field-error.tsx'
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
          onClick={() => void desk.bring(load(), 'That example could not be loaded.')}
        >
          {title}
        </button>
      ))}
      {desk.bringBack.value !== null && (
        <button type="button" class="chip" onClick={bringBack}>
          Bring back what I wrote
        </button>
      )}
      <p class="muted small shows">{desk.example.value.shows}</p>
    </fieldset>
    <FieldError role="alert" message={desk.notice.value} />
  </>
)

/** The button goes with it: its neighbour takes the focus. */
const bringBack = ({ currentTarget }: TargetedMouseEvent<HTMLButtonElement>): void => {
  const { previousElementSibling } = currentTarget
  if (previousElementSibling instanceof HTMLElement) previousElementSibling.focus()
  desk.bringBack.peek()?.()
}
