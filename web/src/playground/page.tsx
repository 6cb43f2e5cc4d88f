import { useEffect } from 'preact/hooks'
import { STRENGTHS } from '../../../src/models/strengths.ts'
import { Title } from '../shell/title.tsx'
import { Answers } from './answers.tsx'
import { ExamplePicker } from './example-picker.tsx'
import { QuestionsPane } from './questions-pane.tsx'
import { run, startRunning } from './run.ts'
import { RunBar } from './run-bar.tsx'
import { openSharedDesk } from './share.ts'
import { StatePane } from './state-pane.tsx'

export const Playground = () => {
  useEffect(() => {
    let gone = false
    let stop = () => {}
    void openSharedDesk().then(() => {
      if (!gone) stop = startRunning()
    })
    // A link pasted into this tab changes only the fragment and loads nothing.
    addEventListener('hashchange', openSharedDesk)
    addEventListener('keydown', runOnShortcut, { capture: true })
    return () => {
      gone = true
      stop()
      removeEventListener('hashchange', openSharedDesk)
      removeEventListener('keydown', runOnShortcut, { capture: true })
    }
  }, [])
  return (
    <div class="playground">
      <div class="intro">
        <Title>Ask a text multiple-choice questions</Title>
        <p class="muted">
          Put a text under State and ask about it under Questions. One pass gives every option a probability.
          No prose comes back, so nothing needs parsing.
        </p>
        <p class="muted small">{STRENGTHS}</p>
        <ExamplePicker />
      </div>
      <div class="asking">
        <StatePane />
        <QuestionsPane />
      </div>
      <div class="answering">
        <RunBar />
        <Answers />
      </div>
    </div>
  )
}

/** Ctrl- or Cmd-Enter, wherever the caret is, caught before an editor can insert a new line. A dialog keeps its keys. */
const runOnShortcut = (event: KeyboardEvent) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  if (document.querySelector('dialog[open]') !== null) return
  event.preventDefault()
  event.stopPropagation()
  // Held down, the keys would ask thirty times a second.
  if (!event.repeat) void run()
}
