import { useSignalEffect } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Code, Language, Mark } from './code.ts'
import type { Source } from './source.ts'

/** Up to here a plain text area is quick, and nothing has to be loaded for it. */
const PLAIN_MAX = 20_000

type Props = { source: Source; language: Language; label: string; mark: Mark | null; id: string }

/** A text area for short text; CodeMirror, loaded at need, for JSON and for long text. */
export const TextEditor = (props: Props) => {
  const { source } = props
  const [long, setLong] = useState(source.length > PLAIN_MAX)
  const edits = useRef(source.edits.peek())
  useSignalEffect(() => {
    source.edits.value
    source.replacements.value
    if (source.length > PLAIN_MAX) setLong(true)
  })
  if (props.language === 'text' && !long) return <PlainText {...props} />
  // Whoever was typing when the text grew long goes on typing.
  return <CodeText {...props} focus={long && source.edits.peek() !== edits.current} />
}

const PlainText = ({ source, label, mark, id }: Props) => {
  source.replacements.value
  return (
    <textarea
      id={id}
      class="editor plain"
      aria-label={label}
      aria-invalid={mark !== null}
      aria-describedby={mark === null ? undefined : `${id}-error`}
      spellcheck={false}
      autocomplete="off"
      value={source.read()}
      onInput={event => {
        const text = event.currentTarget.value
        source.edited(() => text, text.length)
      }}
      onPaste={event => {
        const pasted = event.clipboardData?.getData('text/plain') ?? ''
        if (pasted.length <= PLAIN_MAX) return
        // A text area takes seconds to lay out what the other editor shows at once.
        event.preventDefault()
        const { value, selectionStart, selectionEnd } = event.currentTarget
        const text =
          value.slice(0, selectionStart) + pasted.replaceAll('\r\n', '\n') + value.slice(selectionEnd)
        source.edited(() => text, text.length)
      }}
    />
  )
}

const CodeText = ({ source, language, label, mark, id, focus }: Props & { focus: boolean }) => {
  const host = useRef<HTMLDivElement>(null)
  const [code, setCode] = useState<Code | null>(null)
  useEffect(() => {
    let made: Code | null = null
    let gone = false
    void import('./code.ts').then(({ createCode }) => {
      if (gone || host.current === null) return
      made = createCode(host.current, {
        text: source.read(),
        language,
        label,
        onEdit: (read, length) => source.edited(read, length),
      })
      if (focus) made.focus()
      setCode(made)
    })
    return () => {
      gone = true
      made?.destroy()
    }
  }, [source])
  useEffect(() => code?.setLanguage(language), [code, language])
  useEffect(() => code?.mark(mark), [code, mark])
  useSignalEffect(() => {
    if (source.replacements.value > 0) code?.setText(source.read())
  })
  return (
    <div id={id} class="editor code" ref={host} data-ready={code !== null}>
      {code === null && <p class="loading">Opening the editor …</p>}
    </div>
  )
}
