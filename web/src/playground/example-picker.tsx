import { FieldError } from '../ui/field-error.tsx'
import * as desk from './desk.ts'
import { EXAMPLES, type Example } from './examples/examples.ts'

export const ExamplePicker = () => (
  <>
    <fieldset class="examples">
      <legend class="unseen">Examples</legend>
      {EXAMPLES.map(({ title, load }) => (
        <button
          type="button"
          class="chip"
          aria-pressed={desk.example.value?.title === title}
          onClick={() => void choose(title, load)}
        >
          {title}
        </button>
      ))}
      <p class="muted small shows">{desk.example.value?.shows}</p>
    </fieldset>
    <FieldError role="alert" message={desk.notice.value} />
  </>
)

/** The one that was pressed last: one before it may arrive later. */
let chosen = ''

const choose = async (title: string, load: () => Promise<Example>): Promise<void> => {
  chosen = title
  const example = await load().catch(() => null)
  if (chosen !== title) return
  if (example === null) desk.notice.value = 'That example could not be loaded.'
  else desk.putDown(example)
}
