import { useSignal } from '@preact/signals'

const SHOWN_MS = 1_600

/** Copies a text and says so, to the eye and to a screen reader. */
export const CopyButton = (props: {
  text: () => string | Promise<string>
  label?: string
  class?: string
}) => {
  const said = useSignal('')
  const copy = async () => {
    said.value = await copied(props.text)
    setTimeout(() => {
      said.value = ''
    }, SHOWN_MS)
  }
  return (
    <button type="button" class={props.class ?? 'quiet'} onClick={() => void copy()}>
      <span aria-live="polite">{said.value || (props.label ?? 'Copy')}</span>
    </button>
  )
}

const copied = async (text: () => string | Promise<string>): Promise<string> => {
  try {
    const ready = await text()
    return await navigator.clipboard.writeText(ready).then(
      () => 'Copied',
      () => 'The browser did not allow it',
    )
  } catch (error) {
    return error instanceof Error ? error.message : 'There is nothing to copy'
  }
}
