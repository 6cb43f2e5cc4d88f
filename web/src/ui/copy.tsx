import { useSignal } from '@preact/signals'

const COPIED = 'Copied'
const COPIED_SHOWN_MS = 1_600
/** Why not takes longer to read. */
const REFUSAL_SHOWN_MS = 6_000

/** Copies a text and says so, to the eye and to a screen reader. */
export const CopyButton = (props: {
  text: () => string | Promise<string>
  label?: string
  class?: string
}) => {
  const said = useSignal('')
  const copy = async () => {
    said.value = await copied(props.text)
    const shownMs = said.value === COPIED ? COPIED_SHOWN_MS : REFUSAL_SHOWN_MS
    setTimeout(() => {
      said.value = ''
    }, shownMs)
  }
  return (
    <button type="button" class={props.class ?? 'quiet'} onClick={() => void copy()}>
      <span aria-live="polite">{said.value || (props.label ?? 'Copy')}</span>
    </button>
  )
}

const copied = async (text: () => string | Promise<string>): Promise<string> => {
  // Browsers give it to pages that came over HTTPS or from the same machine.
  if (navigator.clipboard === undefined) return 'Copying takes a page that came over HTTPS'
  const ready = (async () => new Blob([await text()], { type: 'text/plain' }))()
  // Caught from the start: a browser may take its time to refuse, and until then nobody else would.
  const why = ready.then(
    () => 'The browser did not allow it',
    (error: unknown) => (error instanceof Error ? error.message : 'There is nothing to copy'),
  )
  try {
    // Safari lets a page write only while it handles the press: what takes longer to make is promised by then.
    await navigator.clipboard.write([new ClipboardItem({ 'text/plain': ready })])
    return COPIED
  } catch {
    return why
  }
}
