import { batch, computed, signal } from '@preact/signals'
import { TextEditor } from '../editor/text-editor.tsx'
import { whenDrawn } from '../ui/drawn.ts'
import { FieldError } from '../ui/field-error.tsx'
import { Switch } from '../ui/switch.tsx'
import * as desk from './desk.ts'
import { type Draft, newDraft, nextUid, QUESTION_TYPES, type QuestionType } from './draft.ts'
import { fault, markIn } from './fault.ts'
import { QuestionForm, TYPE_NAMES } from './question-form.tsx'
import { Removed } from './remove-button.tsx'
import { trouble } from './run.ts'

const mark = computed(() => markIn('questions'))

/** A fault that belongs to no question the form shows. */
const looseFault = computed(() => {
  const place = fault.value?.place
  if (place?.pane !== 'questions') return null
  return desk.questionsForm.value === 'json' || place.id === null ? (fault.value?.message ?? null) : null
})

/** Why the form cannot show the questions. It is true until the desk changes. */
const unshown = signal<{ message: string; revision: string } | null>(null)

export const QuestionsPane = () => (
  <section class="pane questions" aria-labelledby="questions-title">
    <div class="head">
      <h2 id="questions-title">
        Questions{' '}
        {desk.questionsForm.value === 'form' && <span class="count">{desk.drafts.value.length}</span>}
      </h2>
      <Switch
        label="Write the questions as"
        options={[
          { value: 'form', text: 'Form' },
          { value: 'json', text: 'JSON' },
        ]}
        value={desk.questionsForm.value}
        onChange={switchForm}
      />
    </div>
    {desk.questionsForm.value === 'form' ? (
      <QuestionList />
    ) : (
      <TextEditor
        id="questions"
        source={desk.questionsJson}
        language="json"
        label="Questions, JSON"
        mark={mark.value}
      />
    )}
    <FieldError id="questions-error" message={looseFault.value} />
    <FieldError
      role="alert"
      message={unshown.value?.revision === desk.revision.value ? unshown.value.message : null}
    />
  </section>
)

const switchForm = (form: 'form' | 'json') => {
  const refused = desk.switchQuestions(form)
  unshown.value =
    refused?.kind === 'unshown' ? { message: refused.message, revision: desk.revision.peek() } : null
  if (refused?.kind === 'mistake') trouble.value = refused
  // Questions that can be read have no mistake left that the page itself can see. A refusal by the service stays.
  else if (trouble.peek()?.kind === 'mistake' && fault.peek()?.place.pane === 'questions')
    trouble.value = null
}

const QuestionList = () => (
  <>
    <ol class="question-list">
      {desk.drafts.value.map((draft, at) => (
        <QuestionForm key={draft.peek().uid} draft={draft} at={at} move={move} copy={copy} remove={remove} />
      ))}
    </ol>
    <Removed />
    <fieldset class="row add">
      <legend class="unseen">Add a question</legend>
      <span class="muted">Add</span>
      {QUESTION_TYPES.map(type => (
        <button
          type="button"
          class="chip"
          aria-label={`Add a ${TYPE_NAMES[type]} question`}
          onClick={() => add(type)}
        >
          {TYPE_NAMES[type]}
        </button>
      ))}
    </fieldset>
  </>
)

const add = (type: QuestionType) => {
  const draft = newDraft(type, freshId(type === 'noul' ? 'statement' : type))
  insert(desk.drafts.peek().length, draft)
  whenDrawn(() => document.getElementById(`q${draft.uid}-id`)?.focus())
}

const move = (at: number, by: -1 | 1) => {
  const list = [...desk.drafts.peek()]
  const [taken] = list.splice(at, 1)
  if (taken === undefined || at + by < 0 || at + by > list.length) return
  list.splice(at + by, 0, taken)
  const button = document.activeElement
  desk.changeDrafts(list)
  // Firefox 140 and Safari drop the focus of an element that is moved.
  whenDrawn(() => button instanceof HTMLElement && button.focus())
}

const copy = (at: number) => {
  const draft = desk.drafts.peek()[at]?.peek()
  if (draft !== undefined) insert(at + 1, { ...draft, uid: nextUid(), id: freshId(draft.id) })
}

const remove = (at: number) => desk.changeDrafts(desk.drafts.peek().toSpliced(at, 1))

/** Inserts a question and opens it. */
const insert = (at: number, draft: Draft) =>
  batch(() => {
    desk.changeDrafts(desk.drafts.peek().toSpliced(at, 0, signal(draft)))
    desk.setOpen(draft.uid, true)
  })

const freshId = (stem: string): string => {
  const taken = new Set(desk.drafts.peek().map(draft => draft.peek().id))
  if (!taken.has(stem)) return stem
  let number = 2
  while (taken.has(`${stem}_${number}`)) number++
  return `${stem}_${number}`
}
