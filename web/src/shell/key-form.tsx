import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { FieldError } from '../ui/field-error.tsx'
import { key } from './session.ts'

/** What copying leaves around a key and within it: spaces, line breaks, marks of no width. */
const BLANKS = /[\s\p{Cf}]/gu
/** Anything else is no key, and much of it no browser would send. */
const KEY = /^\w+$/

/** Takes an API key for this tab. */
export const KeyForm = ({ titleId, onDone }: { titleId?: string; onDone?: () => void }) => {
  const typed = useSignal('')
  const problem = useSignal<string | null>(null)
  const input = useId()
  const accept = (event: Event) => {
    event.preventDefault()
    const value = typed.value.replace(BLANKS, '')
    if (value !== '' && !KEY.test(value)) {
      problem.value = 'A key has nothing but letters, digits and underscores.'
      return
    }
    if (value !== '') key.value = { value, source: 'typed' }
    typed.value = ''
    onDone?.()
  }
  const forget = () => {
    key.value = null
    onDone?.()
  }
  return (
    <form class="key-form" onSubmit={accept}>
      <h2 id={titleId}>API key</h2>
      <p class="muted">
        It stays in this tab's memory and goes nowhere but to this service. A reload forgets it. Whoever runs
        the service makes keys with <code>npm run decider -- keys create</code>.
      </p>
      <label for={input}>Key</label>
      <input
        id={input}
        class="mono"
        type="password"
        autocomplete="off"
        spellcheck={false}
        placeholder="sk_decider_…"
        aria-invalid={problem.value !== null}
        aria-describedby={problem.value === null ? undefined : `${input}-problem`}
        value={typed.value}
        onInput={event => {
          typed.value = event.currentTarget.value
          problem.value = null
        }}
      />
      <FieldError id={`${input}-problem`} role="alert" message={problem.value} />
      <div class="row end">
        {key.value !== null && (
          <button type="button" class="quiet" onClick={forget}>
            Forget the key
          </button>
        )}
        {onDone !== undefined && (
          <button type="button" class="quiet" onClick={onDone}>
            Cancel
          </button>
        )}
        <button type="submit" class="primary">
          Use this key
        </button>
      </div>
    </form>
  )
}
