import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { isArray, isObject, type Json } from '../../../src/json/json.ts'
import { readJson } from '../../../src/json/reader.ts'
import { FieldError, faultyBy } from '../ui/field-error.tsx'
import { pretty } from '../ui/pretty.ts'

/** More characters than fill a field at its greatest height: the copy that sets the height needs no more. */
const FILLS_A_FIELD = 4_000

type Props = {
  label: string
  placeholder: string
  value: Json
  error?: string | null
  onChange: (value: Json) => void
  class?: string
}

/**
 * A field for instructions or a description: text, or JSON where the caller has structured it. As in every field with
 * content, autocomplete is off: Firefox would write the text to disk, and put it into the example when it restores the tab.
 */
export const Wording = (props: Props) => {
  const structured = isObject(props.value) || isArray(props.value)
  // Anyone halfway through editing structured wording stays in the JSON field, whatever its text parses as.
  return structured ? <StructuredWording {...props} /> : <PlainWording {...props} />
}

const PlainWording = ({ label, placeholder, value, error = null, onChange, class: name }: Props) => {
  const text = typeof value === 'string' ? value : ''
  const errorId = useId()
  return (
    <>
      <div class={`wording ${name ?? ''}`} data-text={text.slice(0, FILLS_A_FIELD)}>
        <textarea
          aria-label={label}
          {...faultyBy(errorId, error !== null)}
          placeholder={placeholder}
          rows={1}
          autocomplete="off"
          value={text}
          onInput={event => onChange(event.currentTarget.value === '' ? null : event.currentTarget.value)}
        />
      </div>
      <FieldError id={errorId} message={error} />
    </>
  )
}

const StructuredWording = ({ label, value, error = null, onChange, class: name }: Props) => {
  const [text, setText] = useState(() => pretty(value))
  const [broken, setBroken] = useState<string | null>(null)
  const own = useRef(value)
  const errorId = useId()
  useEffect(() => {
    if (own.current === value) return
    own.current = value
    setText(pretty(value))
    setBroken(null)
  }, [value])
  const edit = (next: string) => {
    setText(next)
    const reading = readJson(next)
    if (reading.kind === 'read' && (isObject(reading.value) || isArray(reading.value))) {
      own.current = reading.value
      setBroken(null)
      onChange(reading.value)
    } else setBroken('Not a JSON object or array yet; the last valid one is used.')
  }
  return (
    <>
      <div class={`wording structured mono ${name ?? ''}`} data-text={text.slice(0, FILLS_A_FIELD)}>
        <textarea
          class="mono"
          aria-label={`${label}, JSON`}
          {...faultyBy(errorId, (broken ?? error) !== null)}
          rows={1}
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={event => edit(event.currentTarget.value)}
        />
      </div>
      <FieldError id={errorId} message={broken ?? error} />
    </>
  )
}
