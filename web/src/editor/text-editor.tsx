import { useSignalEffect } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Code, Language, Mark } from './code.ts'
import type { Source } from './source.ts'

/** Up to this length a plain text area is fast, and it needs nothing to be loaded. */
const PLAIN_MAX = 20_000

type Props = { source: Source; language: Language; label: string; mark: Mark | null; id: string }

/** A text area for short text. CodeMirror, loaded on demand, for JSON and long text, unless it cannot be loaded. */
export const TextEditor = (props: Props) => {
  const { source } = props
  const [long, setLong] = useState(source.length > PLAIN_MAX)
  const [unavailable, setUnavailable] = useState(false)
  const edits = useRef(source.edits.peek())
  const caret = useRef(0)
  useSignalEffect(() => {
    source.edits.value
    source.replacements.value
    if (source.length > PLAIN_MAX) setLong(true)
  })
  // Anyone typing when the text grows long can go on typing.
  const focus = long && source.edits.peek() !== edits.current
  if (unavailable || (props.language === 'text' && !long))
    return <PlainText {...props} caret={caret} focus={focus} keepsLong={unavailable} />
  return <CodeText {...props} caret={caret} focus={focus} onUnavailable={() => setUnavailable(true)} />
}

type Shown = Props & {
  /** Where someone last typed, for the editor that takes over. */
  caret: RefObject<number>
  focus: boolean
}

/** Keeps long text if no other editor can take over. */
const PlainText = ({ source, label, mark, id, caret, focus, keepsLong }: Shown & { keepsLong: boolean }) => {
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (!focus) return
    area.current?.setSelectionRange(caret.current, caret.current)
    area.current?.focus()
  }, [])
  source.replacements.value
  return (
    <textarea
      id={id}
      ref={area}
      class="editor plain"
      aria-label={label}
      aria-invalid={mark !== null}
      aria-describedby={mark === null ? undefined : `${id}-error`}
      spellcheck={false}
      autocomplete="off"
      value={source.read()}
      onInput={event => {
        const text = event.currentTarget.value
        caret.current = event.currentTarget.selectionEnd
        source.edited(() => text, text.length)
      }}
      onPaste={event => {
        const pasted = event.clipboardData?.getData('text/plain').replaceAll('\r\n', '\n') ?? ''
        if (keepsLong || pasted.length <= PLAIN_MAX) return
        // A text area takes seconds to lay out what the other editor shows at once.
        event.preventDefault()
        const { value, selectionStart, selectionEnd } = event.currentTarget
        const text = value.slice(0, selectionStart) + pasted + value.slice(selectionEnd)
        caret.current = selectionStart + pasted.length
        source.edited(() => text, text.length)
      }}
    />
  )
}

type CodeProps = Shown & { onUnavailable: () => void }

const CodeText = ({ source, language, label, mark, id, caret, focus, onUnavailable }: CodeProps) => {
  const host = useRef<HTMLDivElement>(null)
  const [code, setCode] = useState<Code | null>(null)
  useEffect(() => {
    let made: Code | null = null
    let gone = false
    const show = ({ createCode }: typeof import('./code.ts')) => {
      if (gone || host.current === null) return
      made = createCode(host.current, {
        text: source.read(),
        language,
        label,
        onEdit: (read, length) => source.edited(read, length),
      })
      if (focus) made.focus(caret.current)
      setCode(made)
    }
    void import('./code.ts').then(show, () => {
      if (!gone) onUnavailable()
    })
    return () => {
      gone = true
      made?.destroy()
    }
  }, [source])
  useEffect(() => code?.setLanguage(language, label), [code, language, label])
  useEffect(() => code?.mark(mark), [code, mark])
  useSignalEffect(() => {
    if (source.replacements.value > 0) code?.setText(source.read())
  })
  return (
    <div id={id} class="editor code" ref={host}>
      {code === null && <p class="loading">Opening the editor …</p>}
    </div>
  )
}
