import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { key } from './session.ts'

/** Opens the dialog that takes a key; says which one is in use. */
export const KeyButton = () => {
  const dialog = useRef<HTMLDialogElement>(null)
  const label =
    key.value === null
      ? 'Enter API key'
      : key.value.source === 'development'
        ? 'Local playground key'
        : 'API key set'
  useEffect(() => {
    openKeyDialog = () => dialog.current?.showModal()
  }, [])
  return (
    <>
      <button
        type="button"
        class={key.value === null ? 'key missing' : 'key'}
        onClick={() => dialog.current?.showModal()}
      >
        <span class="dot" aria-hidden="true" />
        {label}
      </button>
      <dialog ref={dialog} class="sheet" aria-labelledby="key-title">
        <KeyForm onDone={() => dialog.current?.close()} />
      </dialog>
    </>
  )
}

let openKeyDialog = () => {}
export const askForKey = () => openKeyDialog()

const KeyForm = ({ onDone }: { onDone: () => void }) => {
  const typed = useSignal('')
  const accept = (event: Event) => {
    event.preventDefault()
    const value = typed.value.trim()
    if (value !== '') key.value = { value, source: 'typed' }
    typed.value = ''
    onDone()
  }
  return (
    <form onSubmit={accept}>
      <h2 id="key-title">API key</h2>
      <p class="muted">
        It stays in this tab's memory and goes nowhere but to this service. A reload forgets it. Whoever runs
        the service makes keys with <code>npm run decider -- keys create</code>.
      </p>
      <label for="key-input">Key</label>
      <input
        id="key-input"
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
          <button
            type="button"
            class="quiet"
            onClick={() => {
              key.value = null
              onDone()
            }}
          >
            Forget the key
          </button>
        )}
        <button type="button" class="quiet" onClick={onDone}>
          Cancel
        </button>
        <button type="submit" class="primary">
          Use this key
        </button>
      </div>
    </form>
  )
}
