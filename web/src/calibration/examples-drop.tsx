import { useSignal } from '@preact/signals'
import sampleUrl from '../../../examples/support-tickets.jsonl?url'
import { textOf } from '../../../src/calibration/examples-file.ts'
import { bytes, count, plural } from '../ui/format.ts'
import { type ExamplesFile, FILE_MAX_BYTES, readExamples } from './examples-file.ts'
import { file, takeFile } from './job.ts'

const PROBLEMS_SHOWN = 5

/** Where the file of examples goes in, and what was found in it. */
export const ExamplesDrop = () => {
  const over = useSignal(false)
  const problem = useSignal<string | null>(null)
  const take = async (chosen: File | null | undefined) => {
    if (!chosen) return
    if (chosen.size > FILE_MAX_BYTES) {
      problem.value = `That file takes ${bytes(chosen.size)}; ${bytes(FILE_MAX_BYTES)} is the most.`
      return
    }
    const read = await chosen.arrayBuffer().catch(() => null)
    const text = read && textOf(read)
    problem.value =
      read === null
        ? 'That could not be read; it takes a single file.'
        : text === null
          ? 'That is not UTF-8; save it in that encoding.'
          : null
    if (text === null) return
    takeFile(readExamples(chosen.name, text))
  }
  const takeSample = async () => {
    const sample = await fetchSample()
    if (sample === null) problem.value = 'The sample tickets could not be loaded.'
    else await take(sample)
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
        void take(event.dataTransfer?.files[0])
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
              void take(event.currentTarget.files?.[0])
              // Else the same file, corrected meanwhile, would be no change.
              event.currentTarget.value = ''
            }}
          />
        </label>
        <button type="button" class="quiet" onClick={() => void takeSample()}>
          Try 400 sample tickets
        </button>
        <p class="muted">or drop a file here: JSON Lines, 200 to 5,000 labelled examples</p>
      </div>
      {problem.value !== null && (
        <p class="field-error" role="alert">
          {problem.value}
        </p>
      )}
      {file.value === null ? <Shape /> : <Found found={file.value} />}
    </section>
  )
}

const fetchSample = async (): Promise<File | null> => {
  try {
    const response = await fetch(sampleUrl)
    return response.ok ? new File([await response.blob()], 'support-tickets.jsonl') : null
  } catch {
    return null
  }
}

const Shape = () => (
  <details class="figures">
    <summary>What an example looks like</summary>
    <pre class="raw">{`{"state": "Charged twice, please refund.", "questions": {
  "team":  {"type": "choice", "criteria": {"billing": null, "shipping": null}, "label": "billing"},
  "angry": {"type": "noul", "instructions": "The customer is angry", "label": true},
  "urgency": {"type": "score", "criteria": ["can wait", "this week", "today"], "label": 1}
}}`}</pre>
    <p class="muted small">
      One example a line. A question asked the same way must occur at least 50 times to be fitted.
    </p>
  </details>
)

const Found = ({ found }: { found: ExamplesFile }) => (
  <div class="found">
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
  </div>
)
