import { createRef } from 'preact'
import { KeyForm } from './key-form.tsx'
import { type Key, key } from './session.ts'

const dialog = createRef<HTMLDialogElement>()

export const askForKey = () => dialog.current?.showModal()

/** Opens the dialog that takes a key, and says which one is in use. */
export const KeyButton = () => (
  <>
    <button type="button" class={key.value === null ? 'key missing' : 'key'} onClick={askForKey}>
      <span class="dot" aria-hidden="true" />
      {labelOf(key.value)}
    </button>
    <dialog ref={dialog} class="sheet" aria-labelledby="key-title">
      <KeyForm titleId="key-title" onDone={() => dialog.current?.close()} />
    </dialog>
  </>
)

const labelOf = (inUse: Key | null): string => {
  if (inUse === null) return 'Enter API key'
  return inUse.source === 'development' ? 'Local playground key' : 'API key set'
}
