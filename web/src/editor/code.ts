// CodeMirror, in its own chunk: fetched only when someone edits JSON or a long text.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, setDiagnostics } from '@codemirror/lint'
import { Compartment, EditorState, type Extension, Transaction } from '@codemirror/state'
import { drawSelection, EditorView, highlightSpecialChars, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { locate } from './locate.ts'

export type Mark = { message: string } & ({ at: number } | { path: string })

export type Code = {
  setText(text: string): void
  setLanguage(language: Language, label: string): void
  mark(mark: Mark | null): void
  /** Moves the caret and the keyboard focus there. */
  focus(at: number): void
  destroy(): void
}

export type Language = 'text' | 'json'

type Options = {
  text: string
  language: Language
  label: string
  onEdit: (read: () => string, length: number) => void
}

/**
 * Above this size, what looks through a text costs more than it helps: colours, special characters, and comparing a
 * line before and after a key.
 */
const LARGE = 1_000_000

export const createCode = (host: HTMLElement, options: Options): Code => {
  // In a shadow root CodeMirror uses constructed style sheets, which the page's policy allows; it would otherwise use a
  // <style> element, which the policy refuses.
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' })
  const looks = new Compartment()
  let { language, label } = options
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      extensions: [
        history(),
        drawSelection(),
        EditorView.lineWrapping,
        // Tab moves on, as everywhere on the page: keyboard users must not be trapped.
        keymap.of([...defaultKeymap, ...historyKeymap]),
        looks.of(looksOf(language, label, options.text.length)),
        EditorState.transactionExtender.of(({ docChanged, startState, newDoc }) =>
          docChanged && startState.doc.length > LARGE !== newDoc.length > LARGE
            ? { effects: looks.reconfigure(looksOf(language, label, newDoc.length)) }
            : null,
        ),
        LOOK,
        EditorView.updateListener.of(update => {
          if (!update.docChanged || update.transactions.some(tr => tr.isUserEvent('replace'))) return
          const { doc } = update.state
          options.onEdit(() => doc.toString(), doc.length)
        }),
      ],
    }),
  })
  // Not given at once: CodeMirror 6.43 takes a long line that it starts with for one that fits, and lays out all of it.
  view.dispatch({
    changes: { from: 0, insert: options.text },
    userEvent: 'replace',
    annotations: Transaction.addToHistory.of(false),
  })
  return {
    setText: text =>
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: 'replace' }),
    setLanguage: (newLanguage, newLabel) => {
      language = newLanguage
      label = newLabel
      view.dispatch({ effects: looks.reconfigure(looksOf(language, label, view.state.doc.length)) })
    },
    mark: mark =>
      view.dispatch(setDiagnostics(view.state, mark === null ? [] : [diagnosticAt(view.state, mark)])),
    focus: at => {
      view.dispatch({ selection: { anchor: Math.min(at, view.state.doc.length) }, scrollIntoView: true })
      view.focus()
    },
    destroy: () => view.destroy(),
  }
}

const looksOf = (language: Language, label: string, length: number): Extension => [
  // Focusable without a tabindex, too, but axe looks for one before it lets a long text scroll.
  EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  length > LARGE ? TYPED_AT_ONCE : [highlightSpecialChars(), language === 'json' ? JSON_LOOKS : []],
]

const diagnosticAt = (state: EditorState, mark: Mark): Diagnostic => {
  const { from, to } =
    'at' in mark
      ? { from: Math.min(mark.at, state.doc.length), to: Math.min(mark.at + 1, state.doc.length) }
      : locate(state, mark.path)
  return { from, to, severity: 'error', message: mark.message }
}

const COLOURS = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--code-key)' },
  { tag: tags.string, color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
])

const JSON_LOOKS: Extension = [
  json(),
  lineNumbers(),
  bracketMatching(),
  indentOnInput(),
  syntaxHighlighting(COLOURS),
]

/** Puts typed characters into the text, which CodeMirror would find by comparing the whole line that they stand in. */
const TYPED_AT_ONCE = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    if (event.inputType !== 'insertText' || event.data === null || view.composing) return false
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true })
    return true
  },
})

const LOOK = EditorView.theme({
  '&': { height: '100%', fontSize: 'inherit', color: 'var(--ink)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--ink)', padding: '12px 0' },
  '.cm-line': { padding: '0 14px' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--muted)', border: 'none' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'var(--selection)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--selection)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--ink)', border: '1px solid var(--line)' },
  // Replaces the library's own wavy line, a data: image that the page's policy refuses.
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad)' },
  '.cm-lintPoint-error::after': { borderBottomColor: 'var(--bad)' },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--bad)' },
})
