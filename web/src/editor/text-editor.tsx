import { useSignalEffect } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { faultyBy } from '../ui/field-error.tsx'
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
  const handover = useRef<Handover | null>(null)
  useSignalEffect(() => {
    if (source.replacements.value === 0) return
    handover.current = null
    if (source.length > PLAIN_MAX) setLong(true)
  })
  const shown = { ...props, handover, onUnavailable: () => setUnavailable(true) }
  if (unavailable || (props.language === 'text' && !long))
    return <PlainText {...shown} keepsLong={unavailable} onLong={() => setLong(true)} />
  return <CodeText {...shown} />
}

/** The edit that made the text long: in the editor that takes over, it can be undone and typing goes on. */
type Handover = { before: string; caret: number }

type Shown = Props & { handover: RefObject<Handover | null>; onUnavailable: () => void }

type PlainProps = Shown & { keepsLong: boolean; onLong: () => void }

/** Keeps long text if no other editor can take over. */
const PlainText = (props: PlainProps) => {
  const { source, label, mark, id, handover, keepsLong, onLong, onUnavailable } = props
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    if (handover.current === null) return
    const { caret } = handover.current
    area.current?.setSelectionRange(caret, caret)
    area.current?.focus()
  }, [])
  source.replacements.value
  return (
    <textarea
      id={id}
      ref={area}
      class="editor plain"
      aria-label={label}
      {...faultyBy(`${id}-error`, mark !== null)}
      spellcheck={false}
      autocomplete="off"
      value={source.read()}
      onInput={event => {
        const { value: text, selectionEnd } = event.currentTarget
        const before = source.read()
        source.edited(() => text, text.length)
        if (keepsLong || text.length <= PLAIN_MAX || event.isComposing) return
        handover.current = { before, caret: selectionEnd }
        // Until the other editor is loaded, this one takes what is typed.
        void import('./code.ts').then(onLong, onUnavailable)
      }}
      onPaste={event => {
        const pasted = event.clipboardData?.getData('text/plain').replaceAll('\r\n', '\n') ?? ''
        if (keepsLong || pasted.length <= PLAIN_MAX) return
        // A text area takes seconds to lay out what the other editor shows at once.
        event.preventDefault()
        const { value, selectionStart, selectionEnd } = event.currentTarget
        const text = value.slice(0, selectionStart) + pasted + value.slice(selectionEnd)
        handover.current = { before: value, caret: selectionStart + pasted.length }
        source.edited(() => text, text.length)
        onLong()
      }}
    />
  )
}

const CodeText = ({ source, language, label, mark, id, handover, onUnavailable }: Shown) => {
  const host = useRef<HTMLDivElement>(null)
  const [code, setCode] = useState<Code | null>(null)
  // Before the next keystroke, if it is loaded.
  useLayoutEffect(() => {
    let made: Code | null = null
    let gone = false
    const show = ({ createCode }: typeof import('./code.ts')) => {
      if (gone || host.current === null) return
      made = createCode(host.current, {
        text: handover.current?.before ?? source.read(),
        language,
        label,
        onEdit: (read, length) => source.edited(read, length),
      })
      if (handover.current !== null) {
        const { caret } = handover.current
        made.focus(caret)
        made.setText(source.read())
        made.focus(caret)
      }
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
