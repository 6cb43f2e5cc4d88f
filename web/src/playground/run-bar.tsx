import { useRef } from 'preact/hooks'
import { Check } from '../ui/check.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { milliseconds } from '../ui/format.ts'
import { useHeightIn } from '../ui/height.ts'
import { CopyAs } from './copy-as.tsx'
import { heldBack, latency, live, run, running, type Trouble, trouble } from './run.ts'
import { Settings } from './settings.tsx'
import { shareLink } from './share.ts'

/** The bar above the answers: Run, and how to run. */
export const RunBar = () => {
  const bar = useRef<HTMLElement>(null)
  const row = useRef<HTMLDivElement>(null)
  // With large letters or a long note it is higher, and the answers stay below it all the same.
  useHeightIn('--bar-height', bar, '.answering')
  // On a narrow screen it covers an end of what is scrolled, and what must be in view stays clear of it.
  useHeightIn('--run-height', row, ':root')
  return (
    <section class="run-bar" ref={bar} aria-label="Run">
      <div class="row" ref={row}>
        <button
          type="button"
          class="primary run"
          aria-keyshortcuts="Control+Enter Meta+Enter"
          onClick={() => void run()}
        >
          {running.value ? 'Asking …' : 'Run'}
          <span class="kbd" aria-hidden="true">
            {IS_MAC ? '⌘' : 'Ctrl'} ↵
          </span>
        </button>
        <Check value={live}>As I type</Check>
        <TroubleHint />
        <HeldBackNote />
        {heldBack.value === null && trouble.value === null && <LatencyNote />}
        <a class="link to-answers" href="#answers">
          Answers
        </a>
      </div>
      <div class="row">
        <Settings />
        <CopyAs />
        <CopyButton class="quiet" label="Share link" text={shareLink} />
      </div>
    </section>
  )
}

const IS_MAC = /Mac/.test(navigator.userAgent)

const REFUSAL: Readonly<Record<Trouble['kind'], string>> = {
  mistake: 'Not sent',
  refused: 'Refused',
  'no key': 'No key',
  unreachable: 'No answer',
}

/** Where to see what is wrong: on a phone the answers are far from here. Screen readers are told it there, as an alert. */
const TroubleHint = () =>
  heldBack.value === null && trouble.value !== null ? (
    <p class="latency held bad-text">{REFUSAL[trouble.value.kind]}: see Answers</p>
  ) : null

/** Always on the page, or a screen reader would not announce it. */
const HeldBackNote = () => (
  <p class={heldBack.value === null ? 'unseen' : 'latency held muted'} role="status">
    {heldBack.value !== null && `${heldBack.value}: press Run when ready`}
  </p>
)

const LatencyNote = () => {
  const { cold, cached } = latency.value
  return (
    <p class="latency" aria-live="off">
      {cold !== null && (
        <span>
          <span class="muted">cold</span> {milliseconds(cold)}
        </span>
      )}
      {cached !== null && (
        <span class="cached">
          <span class="muted">state cached</span> {milliseconds(cached)}
        </span>
      )}
    </p>
  )
}
