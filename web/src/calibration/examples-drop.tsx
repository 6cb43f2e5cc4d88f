import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useRef } from 'preact/hooks'
import sampleUrl from '../../../examples/support-tickets.jsonl?url'
import { textOf } from '../../../src/calibration/examples-file.ts'
import { MAX_EXAMPLES, MIN_EXAMPLES, MIN_LABELS } from '../../../src/calibration/limits.ts'
import { FieldError } from '../ui/field-error.tsx'
import { bytes, count, plural } from '../ui/format.ts'
import { notLoaded } from '../ui/not-loaded.ts'
import { onlyLast } from '../ui/only-last.ts'
import { type ExamplesFile, FILE_MAX_BYTES, isBinary, readExamples } from './examples-file.ts'
import { file, takeFile, targetPercent, underWay } from './job.ts'

const PROBLEMS_SHOWN = 5
/** In percent. At the usual 5, one of the sample's three questions has too few labels for a cutoff. */
const SAMPLE_TARGET = '10'

/** Why there are no examples; whether they are in another format, or could not be had. */
type Unread = { why: string; wrongFormat: boolean }

type Reading = Promise<ExamplesFile | Unread>

const lastOf = onlyLast()

/** What stood there before the sample's target, for the next file. */
let ownTarget: string | null = null

const takeTarget = (target: string | undefined): void => {
  if (target !== undefined) {
    ownTarget ??= targetPercent.value
    targetPercent.value = target
  } else if (ownTarget !== null) {
    // Unless somebody has chosen another since.
    if (targetPercent.value === SAMPLE_TARGET) targetPercent.value = ownTarget
    ownTarget = null
  }
}

/** Takes a file of examples and shows what was found in it. */
export const ExamplesDrop = () => {
  const over = useSignal(false)
  const problem = useSignal<Unread | null>(null)
  const shape = useRef<HTMLDetailsElement>(null)
  const take = (reading: Reading, target?: string) =>
    lastOf(reading, read => {
      // What was begun may be charged: only Cancel ends it.
      const taken = 'why' in read || !underWay() ? read : unread(BUSY)
      problem.value = 'why' in taken ? taken : null
      if ('why' in taken) return
      takeFile(taken)
      takeTarget(target)
    })
  const takeFirst = (files: FileList | null | undefined) => {
    const [chosen] = files ?? []
    if (chosen !== undefined) void take(readFile(chosen))
  }
  return (
    <section
      class={over.value ? 'drop over' : 'drop'}
      aria-label="Examples"
      onDragOver={event => {
        event.preventDefault()
        over.value = true
      }}
      onDragLeave={() => (over.value = false)}
      onDrop={event => {
        event.preventDefault()
        over.value = false
        takeFirst(event.dataTransfer?.files)
      }}
    >
      <div class="row">
        <label class="quiet file">
          {file.value === null ? 'Choose a file' : 'Choose another'}
          <input
            class="unseen"
            type="file"
            accept=".jsonl,.ndjson,.json,application/json,application/x-ndjson"
            onChange={event => {
              takeFirst(event.currentTarget.files)
              // Otherwise choosing the same file again, now corrected, would fire no change event.
              event.currentTarget.value = ''
            }}
          />
        </label>
        <button type="button" class="quiet" onClick={() => void take(readSample(), SAMPLE_TARGET)}>
          Try 400 sample tickets
        </button>
        <p class="muted">
          or drop a file here: JSON Lines, {MIN_EXAMPLES} to {count(MAX_EXAMPLES)} labelled examples
        </p>
      </div>
      <p class="muted small">
        The sample tickets are composed like some of the texts that the model learned from, so they are easier
        than yours will be.
      </p>
      <div class="row">
        <FieldError role="alert" message={problem.value?.why ?? null} />
        {problem.value?.wrongFormat && (
          <button type="button" class="link" onClick={() => unfold(shape.current)}>
            See what an example looks like
          </button>
        )}
      </div>
      {/* Always on the page, or a screen reader would not announce it. */}
      <div class="found" aria-live="polite">
        {file.value !== null && <Found found={file.value} />}
      </div>
      <Shape details={shape} />
    </section>
  )
}

const unfold = (details: HTMLDetailsElement | null): void => {
  if (details === null) return
  details.open = true
  details.querySelector('summary')?.focus()
}

const BUSY = 'Not taken, as a calibration was under way. Cancel it or wait for its report, then try again.'

const unread = (why: string): Unread => ({ why, wrongFormat: false })

const readFile = async (chosen: File): Reading => {
  if (chosen.size > FILE_MAX_BYTES)
    return unread(`That file is ${bytes(chosen.size)}; the limit is ${bytes(FILE_MAX_BYTES)}.`)
  const read = await chosen.arrayBuffer().catch(() => null)
  if (read === null) return unread('That could not be read. Choose or drop a single file.')
  const text = textOf(read)
  if (text === null && isBinary(new Uint8Array(read)))
    return { why: 'That is not a text file. Examples are JSON Lines.', wrongFormat: true }
  if (text === null) return unread('That file is not UTF-8. Save it as UTF-8 and try again.')
  const examples = readExamples(chosen.name, text)
  return typeof examples === 'string' ? { why: examples, wrongFormat: true } : examples
}

const readSample = async (): Reading => {
  const answer = await fetch(sampleUrl).catch(() => null)
  const sample = answer?.ok ? await answer.blob().catch(() => null) : null
  return sample === null
    ? unread(notLoaded('The sample tickets'))
    : readFile(new File([sample], 'support-tickets.jsonl'))
}

const EXAMPLE =
  '{"state": "Charged twice, please refund.", "questions": {"team": {"type": "choice", "criteria": {"billing": null, "shipping": null}, "label": "billing"}, "angry": {"type": "noul", "instructions": "The customer is angry", "label": true}, "urgency": {"type": "score", "criteria": ["can wait", "this week", "today"], "label": 1}}}'

const Shape = ({ details }: { details: RefObject<HTMLDetailsElement | null> }) => (
  <details class="figures" ref={details}>
    <summary>What an example looks like</summary>
    <pre class="raw">{EXAMPLE}</pre>
    <p class="muted small">
      One example per line, however long. To be fitted, a question must be asked the same way in at least{' '}
      {MIN_LABELS} examples. “From a CSV file” in <code>docs/calibration.md</code> has a program that makes
      such lines from a table.
    </p>
  </details>
)

const Found = ({ found }: { found: ExamplesFile }) => (
  <>
    <p>
      <b>{found.name}</b>{' '}
      <span class="muted">
        {plural(found.examples, 'example')}, {bytes(found.size)}
      </span>
    </p>
    <ul class="row">
      {found.questions.slice(0, 20).map(question => (
        <li class="tag">
          <span class="mono">{question.id}</span> {question.type}, {plural(question.labels, 'label')}
          {question.wordings > 1 && ` in ${count(question.wordings)} wordings: each needs ${MIN_LABELS}`}
        </li>
      ))}
      {found.questions.length > 20 && <li class="tag">and {count(found.questions.length - 20)} more</li>}
    </ul>
    {found.problems.slice(0, PROBLEMS_SHOWN).map(problem => (
      <p class="field-error">{problem}</p>
    ))}
    {found.problems.length > PROBLEMS_SHOWN && (
      <p class="field-error">and {count(found.problems.length - PROBLEMS_SHOWN)} more like these</p>
    )}
  </>
)
