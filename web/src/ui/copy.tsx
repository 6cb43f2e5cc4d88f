import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { toClipboard } from './clipboard.ts'

const COPIED = 'Copied'
const COPIED_SHOWN_MS = 1_600
/** An error takes longer to read. */
const REFUSAL_SHOWN_MS = 6_000

type Props = {
  text: () => string | Promise<string>
  label: string
  /** What it does, for those who hear only this button; `label` if that says enough. */
  name?: string
  class?: string
}

/** Copies a text and says so, to the eye and to a screen reader. */
export const CopyButton = ({ text, label, name = label, class: look = 'quiet' }: Props) => {
  const said = useSignal('')
  const end = useRef<ReturnType<typeof setTimeout>>(undefined)
  const copy = async () => {
    said.value = await copied(text)
    const shownMs = said.value === COPIED ? COPIED_SHOWN_MS : REFUSAL_SHOWN_MS
    clearTimeout(end.current)
    end.current = setTimeout(() => {
      said.value = ''
    }, shownMs)
  }
  return (
    <>
      {/* Its name stays, or screen readers would announce the changes of it, too. */}
      <button type="button" class={look} aria-label={name} onClick={() => void copy()}>
        {said.value || label}
      </button>
      <span class="unseen" aria-live="polite">
        {said.value}
      </span>
    </>
  )
}

const copied = async (text: () => string | Promise<string>): Promise<string> => {
  const ready = (async () => text())()
  // Caught from the start: a browser may refuse late, and until then nothing else would handle the rejection.
  const why = ready.then(
    () => 'The browser did not allow copying',
    (error: unknown) => (error instanceof Error ? error.message : 'There is nothing to copy'),
  )
  try {
    await toClipboard(ready)
    return COPIED
  } catch {
    return why
  }
}
