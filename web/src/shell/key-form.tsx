import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { key } from './session.ts'

/** Takes an API key for this tab. */
export const KeyForm = ({ titleId, onDone }: { titleId?: string; onDone?: () => void }) => {
  const typed = useSignal('')
  const input = useId()
  const accept = (event: Event) => {
    event.preventDefault()
    const value = typed.value.trim()
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
        value={typed.value}
        onInput={event => {
          typed.value = event.currentTarget.value
        }}
      />
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
