import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { API_KEY_PREFIX, hintOf } from '../../../src/access/key-hint.ts'
import { CopyButton } from '../ui/copy.tsx'
import { whenDrawn } from '../ui/drawn.ts'
import { FieldError, faultyBy } from '../ui/field-error.tsx'
import { isRefused, type Key, key } from './session.ts'

/** What copying can leave around or inside a key: spaces, line breaks, zero-width characters. */
const BLANKS = /[\s\p{Cf}]/gu
/** Anything else is not a key, and browsers would refuse to send much of it. */
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
      problem.value = 'A key contains only letters, digits and underscores.'
      return
    }
    if (value !== '') key.value = { value, source: 'typed' }
    typed.value = ''
    onDone?.()
    whenDrawn(keepFocus)
  }
  const forget = () => {
    key.value = null
    onDone?.()
    whenDrawn(keepFocus)
  }
  return (
    <form class="key-form" onSubmit={accept}>
      <h2 id={titleId}>API key</h2>
      <p class="muted">
        The key stays in this tab’s memory and is sent only to this service. A reload forgets it. The operator
        of the service creates keys with <code>npm run decider -- keys create</code>.
      </p>
      {key.value?.value.startsWith(API_KEY_PREFIX) && <InUse inUse={key.value} />}
      <label for={input}>Key</label>
      <input
        id={input}
        class="mono"
        type="password"
        autocomplete="off"
        spellcheck={false}
        placeholder="sk_decider_…"
        {...faultyBy(`${input}-problem`, problem.value !== null)}
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

/**
 * What asked for the key goes when there is one. Without its focus, keyboard users would start again at the top of the
 * page.
 */
const keepFocus = (): void => {
  if (document.activeElement === document.body) document.querySelector<HTMLElement>('button.key')?.focus()
}

/** The key in use, as far as it can be shown. Only the key that `npm run dev` prints anyway can be copied. */
const InUse = ({ inUse }: { inUse: Key }) => (
  <>
    <p>
      In use: <code>{hintOf(inUse.value)}</code>
      {isRefused.value && ', which the service refuses'}
    </p>
    {inUse.source === 'development' && (
      <div class="row">
        <CopyButton
          label="Copy export DECIDER_API_KEY=…"
          text={() => `export DECIDER_API_KEY=${inUse.value}`}
        />
      </div>
    )}
  </>
)
