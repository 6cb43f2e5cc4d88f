import { signal } from '@preact/signals'
import { createRef } from 'preact'
import { isOfKey } from '../service/refused-key.ts'
import { KeyForm } from './key-form.tsx'
import { isRefused, key } from './session.ts'

const dialog = createRef<HTMLDialogElement>()
/** How often the dialog was closed: each time it opens, it takes a key anew, and holds none that was typed before. */
const closed = signal(0)

export const askForKey = () => dialog.current?.showModal()

/** Opens the dialog that takes a key, and says which one is in use. */
export const KeyButton = () => (
  <>
    <button
      type="button"
      class={key.value === null || isRefused.value ? 'key missing' : 'key'}
      onClick={askForKey}
    >
      <span class="dot" aria-hidden="true" />
      {label()}
    </button>
    <dialog ref={dialog} class="sheet" aria-labelledby="key-title" onClose={() => closed.value++}>
      <KeyForm key={closed.value} titleId="key-title" onDone={() => dialog.current?.close()} />
    </dialog>
  </>
)

/** What a message about a refusal offers if it is of the key in use: another one. */
export const AnotherKey = ({ refusedWith }: { refusedWith: string | null }) =>
  isOfKey(refusedWith) && isRefused.value ? (
    <button type="button" class="primary" onClick={askForKey}>
      Enter another API key
    </button>
  ) : null

const label = (): string => {
  if (key.value === null) return 'Enter API key'
  if (isRefused.value) return 'API key refused'
  return key.value.source === 'development' ? 'Local playground key' : 'API key set'
}
