import { signal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { readJson } from '../../../src/json/reader.ts'
import type { Verdict } from '../service/decision.ts'
import { objectIn, textIn } from '../service/fields.ts'
import { askForKey } from '../shell/key.tsx'
import { RefusalNote } from '../shell/refusal-note.tsx'
import { follow } from '../shell/route.ts'
import { key } from '../shell/session.ts'
import { UnansweredNote } from '../shell/unanswered-note.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { FieldError } from '../ui/field-error.tsx'
import { FleetingButton } from '../ui/fleeting-button.tsx'
import { useHeightIn } from '../ui/height.ts'
import { pretty } from '../ui/pretty.ts'
import { Switch } from '../ui/switch.tsx'
import { AnswerCard } from './answer-card.tsx'
import { AnswerRow } from './answer-row.tsx'
import { fault } from './fault.ts'
import { type Answered, answered, refusedEarlier, run, running, stale, type Trouble, trouble } from './run.ts'
import { UsageNote } from './usage-note.tsx'

/** More answers than this are listed one per line. */
const CARDS_AT_MOST = 8

const view = signal<'bars' | 'json'>('bars')

export const Answers = () => {
  const shown = answered.value
  const section = useRef<HTMLElement>(null)
  // How far it scrolls depends on it.
  useHeightIn('--height', section)
  // A mistake comes and goes with every other key: beside the heading it moves no answer, and the field shows it too.
  const typo = shown !== null && trouble.value?.kind === 'mistake' ? trouble.value.message : null
  return (
    <section
      id="answers"
      ref={section}
      class="pane answers"
      tabIndex={-1}
      aria-labelledby="answers-title"
      aria-busy={running.value}
    >
      <div class="head">
        <h2 id="answers-title">
          Answers {shown !== null && <span class="count">{shown.decision.verdicts.length}</span>}
        </h2>
        {typo !== null && <FieldError role="alert" message={typo} />}
        {shown !== null &&
          (stale.value ? (
            <span class="muted small earlier">for the earlier text</span>
          ) : (
            <Uncalibrated verdicts={shown.decision.verdicts} />
          ))}
        {shown !== null && (
          <Switch
            label="Show the answers as"
            options={[
              { value: 'bars', text: 'Bars' },
              { value: 'json', text: 'JSON' },
            ]}
            value={view.value}
            onChange={value => (view.value = value)}
          />
        )}
      </div>
      <p class="unseen" role="status">
        {announcement(shown)}
      </p>
      {trouble.value !== null && typo === null && <TroubleNote why={trouble.value} />}
      {shown === null ? (
        trouble.value === null && <Waiting />
      ) : (
        <div class={stale.value ? 'verdicts stale' : 'verdicts'}>
          {view.value === 'json' ? <ResponseText text={shown.text} /> : <Verdicts answered={shown} />}
          <UsageNote answered={shown} />
        </div>
      )}
    </section>
  )
}

/** Said once, not on every answer. A profile may know only some of the questions. */
const Uncalibrated = ({ verdicts }: { verdicts: readonly Verdict[] }) => {
  const uncalibrated = verdicts.filter(({ abstain }) => abstain === null).length
  if (uncalibrated === 0) return null
  return (
    <a class="link" href="/calibration" onClick={follow('/calibration')}>
      {uncalibrated < verdicts.length && `${uncalibrated} `}not calibrated
      <span class="unseen"> (what that means)</span>
    </a>
  )
}

/** Empty while it asks: a screen reader announces the same answer again only if it was gone. */
const announcement = (shown: Answered | null): string => {
  if (running.value || trouble.value !== null || shown === null || stale.value) return ''
  return `Answered: ${shown.decision.verdicts
    .map(({ id, headline, unsure }) => `${id}: ${headline}${unsure ? ' (unsure)' : ''}`)
    .slice(0, 5)
    .join(', ')}`
}

const Verdicts = ({ answered: { decision, questions } }: { answered: Answered }) => {
  const { verdicts } = decision
  if (verdicts.length <= CARDS_AT_MOST)
    return verdicts.map(verdict => <AnswerCard key={verdict.id} verdict={verdict} />)
  return (
    <ul class="rows">
      {verdicts.map(verdict => (
        <AnswerRow
          key={verdict.id}
          verdict={verdict}
          asked={textIn(objectIn(questions, verdict.id), 'instructions')}
        />
      ))}
    </ul>
  )
}

const ResponseText = ({ text }: { text: string }) => {
  const reading = readJson(text)
  const shown = reading.kind === 'read' ? pretty(reading.value) : text
  return (
    <div class="response">
      <textarea class="mono" readOnly autocomplete="off" aria-label="Response body" value={shown} />
      <CopyButton label="Copy" name="Copy the response" text={() => shown} />
    </div>
  )
}

const Waiting = () => {
  if (key.value === null) {
    return (
      <div class="waiting">
        <p class="muted">
          <button type="button" class="link" onClick={askForKey}>
            Enter an API key
          </button>{' '}
          to see this example answered.
        </p>
      </div>
    )
  }
  return (
    <div class="waiting">
      {running.value ? (
        [72, 48, 60].map(width => <div class="ghost" style={{ width: `${width}%` }} />)
      ) : (
        <p class="muted">Press Run to see the answers.</p>
      )}
    </div>
  )
}

const TroubleNote = ({ why }: { why: Trouble }) => {
  if (why.kind === 'no key') {
    return (
      <div class="notice" role="alert">
        <p>You need an API key to run this request.</p>
        <button type="button" class="primary" onClick={askForKey}>
          Enter API key
        </button>
      </div>
    )
  }
  if (why.kind === 'unreachable') {
    return (
      <UnansweredNote>
        <FleetingButton class="quiet" heir="#answers" onClick={() => void run()}>
          Try again
        </FleetingButton>
      </UnansweredNote>
    )
  }
  const place = fault.value?.place.pane
  return (
    <RefusalNote code={null} requestId={null} {...why}>
      {(place === 'state' || place === 'questions') && <span class="muted"> (marked at the field)</span>}
      {refusedEarlier.value && <span class="muted"> for the earlier text</span>}
    </RefusalNote>
  )
}
