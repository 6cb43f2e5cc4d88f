// The playground's desk: the one request being written. It is held only in this tab's memory.
import { batch, computed, type Signal, signal } from '@preact/signals'
import { isObject, type Json } from '../../../src/json/json.ts'
import { readJson } from '../../../src/json/reader.ts'
import { compact } from '../../../src/json/writer.ts'
import { Source } from '../editor/source.ts'
import { askBeforeLosing } from '../shell/leaving.ts'
import { onlyLast } from '../ui/only-last.ts'
import { pretty } from '../ui/pretty.ts'
import { type Draft, draftsOf, questionsOf } from './draft.ts'
import { type Example, firstExample } from './examples/examples.ts'
import { type Mistake, notJson, type OnDesk, repeatedName, type StateForm } from './request.ts'

/** The most questions shown open at once. With more, or on a narrow screen, only their names are shown. */
const OPEN_AT_MOST = matchMedia('(max-width: 900px)').matches ? 0 : 4

export const stateForm = signal<StateForm>('text')
export const state = new Source()
export const questionsForm = signal<'form' | 'json'>('form')
export const questionsJson = new Source()
export const drafts = signal<readonly Signal<Draft>[]>([])
export const openDrafts = signal<ReadonlySet<number>>(new Set())
export const model = signal('')
export const calibration = signal('')
export const orderInvariant = signal(false)
export const example = signal({ title: '', shows: '' })
/** Restores what was written by hand before an example or a link replaced it. */
export const bringBack = signal<(() => void) | null>(null)
/** Why a requested example or link is not on the desk. */
export const notice = signal<string | null>(null)
/** Counts edits in the form; the other panes count their own. */
const formEdits = signal(0)
const removal = signal<{ what: string; undo: () => void; edits: number } | null>(null)
/** What was removed from the form last. It can come back until the next edit there. */
export const removed = computed(() => (removal.value?.edits === formEdits.value ? removal.value : null))

/** Changes whenever the request would. */
export const revision = computed(() =>
  [
    stateForm.value,
    state.edits.value,
    state.replacements.value,
    questionsJson.edits.value,
    questionsJson.replacements.value,
    formEdits.value,
    model.value,
    calibration.value,
    orderInvariant.value,
  ].join(),
)

export const asked = (): OnDesk => ({
  state: { form: stateForm.peek(), text: state.read() },
  questions:
    questionsForm.peek() === 'form'
      ? { form: 'form', drafts: drafts.peek().map(draft => draft.peek()) }
      : { form: 'json', text: questionsJson.read() },
  model: model.peek().trim(),
  calibration: calibration.peek().trim(),
  orderInvariant: orderInvariant.peek(),
})

const lastOf = onlyLast()

/** Puts an example on the desk once it arrives, unless something else is requested first; says if it does not arrive. */
export const bring = (coming: Promise<Example>, missing: string): Promise<void> =>
  lastOf(
    coming.catch(() => null),
    given => {
      if (given === null) notice.value = missing
      else putDown(given)
    },
  )

export const putDown = (given: Example): void =>
  batch(() => {
    if (isWritten()) bringBack.value = layingBack()
    example.value = given
    notice.value = null
    putState(given.state)
    orderInvariant.value = given.orderInvariant
    if (given.model !== undefined) model.value = given.model
    if (given.calibration !== undefined) calibration.value = given.calibration
    questionsJson.replace(pretty(given.questions))
    const shown = draftsOf(given.questions)
    questionsForm.value = shown === null ? 'json' : 'form'
    showDrafts(shown ?? [])
    editsAtPutDown = edits()
  })

const edits = (): number => state.edits.peek() + questionsJson.edits.peek() + formEdits.peek()
let editsAtPutDown = edits()
/** Whether anything was written by hand since an example or a link was put down. */
const isWritten = (): boolean => edits() !== editsAtPutDown
askBeforeLosing(() => isWritten() || bringBack.peek() !== null)

const layingBack = (): (() => void) => {
  const own = asked()
  const json = questionsJson.read()
  const begunFrom = example.peek()
  const layBack = () =>
    batch(() => {
      // What was written since then is not lost for it.
      bringBack.value = isWritten() ? layingBack() : null
      example.value = begunFrom
      stateForm.value = own.state.form
      state.replace(own.state.text)
      questionsJson.replace(json)
      questionsForm.value = own.questions.form
      if (own.questions.form === 'form') showDrafts(own.questions.drafts)
      // This counts as an edit: it is newer than the questions' JSON text, and it can be brought back again.
      formEdits.value++
      orderInvariant.value = own.orderInvariant
      model.value = own.model
      calibration.value = own.calibration
    })
  // This is now the latest request, so anything still on its way is dropped.
  return () => void lastOf(Promise.resolve(), layBack)
}

const putState = (value: Json): void => {
  stateForm.value = typeof value === 'string' ? 'text' : 'json'
  state.replace(typeof value === 'string' ? value : pretty(value))
}

/** Text becomes JSON by being quoted, unless it is JSON already; a JSON string becomes text, other JSON stays. */
export const switchState = (form: StateForm): void =>
  batch(() => {
    if (form === stateForm.peek()) return
    const text = state.read()
    const reading = readJson(text)
    if (form === 'json' && reading.kind === 'refused') state.replace(compact(text.toWellFormed()))
    if (form === 'text' && reading.kind === 'read' && typeof reading.value === 'string')
      state.replace(reading.value)
    stateForm.value = form
  })

/** Why the form cannot show questions that can be sent all the same. */
type Unshown = { kind: 'unshown'; message: string }

/** Moves the questions to the other form, or says why they cannot be shown there and leaves them as they are. */
export const switchQuestions = (form: 'form' | 'json'): Mistake | Unshown | null => {
  if (form === questionsForm.peek()) return null
  if (form === 'json') {
    // Untouched text comes back as it was written, spaces and all.
    if (formEdits.peek() !== editsAtSwitch) {
      const written = drafts.peek().map(draft => draft.peek())
      const repeated = repeatedName(written)
      if (repeated !== null) return repeated
      questionsJson.replace(pretty(questionsOf(written)))
    }
    questionsForm.value = 'json'
    return null
  }
  const reading = readJson(questionsJson.read())
  if (reading.kind === 'refused') return notJson('questions', reading)
  const shown = draftsOf(reading.value)
  if (shown === null) {
    const message = 'The form can only show questions given as an object that maps ids to questions.'
    return { kind: 'unshown', message }
  }
  batch(() => {
    showDrafts(shown)
    questionsForm.value = 'form'
  })
  return null
}

let editsAtSwitch = 0

const showDrafts = (shown: readonly Draft[]): void => {
  drafts.value = shown.map(draft => signal(draft))
  openDrafts.value = new Set(shown.length <= OPEN_AT_MOST ? shown.map(draft => draft.uid) : [])
  editsAtSwitch = formEdits.peek()
  removal.value = null
}

export const changeDraft = (draft: Signal<Draft>, changed: Draft): void =>
  batch(() => {
    draft.value = changed
    formEdits.value++
  })

export const changeDrafts = (changed: readonly Signal<Draft>[]): void =>
  batch(() => {
    drafts.value = changed
    formEdits.value++
  })

/** Removes something from the form as `change` does, and offers to undo that. */
export const remove = (what: string, change: () => void): void => {
  const before = drafts.peek().map(draft => ({ draft, was: draft.peek() }))
  change()
  const undo = () =>
    batch(() => {
      for (const { draft, was } of before) draft.value = was
      changeDrafts(before.map(({ draft }) => draft))
    })
  removal.value = { what, undo, edits: formEdits.peek() }
}

export const setOpen = (uid: number, open: boolean): void => {
  const next = new Set(openDrafts.peek())
  if (open) next.add(uid)
  else next.delete(uid)
  openDrafts.value = next
}

/** The current question ids, if they can be read. */
export const questionIds = (): string[] => {
  if (questionsForm.peek() === 'form') return drafts.peek().map(draft => draft.peek().id)
  const reading = readJson(questionsJson.read())
  return reading.kind === 'read' && isObject(reading.value) ? [...reading.value.keys()] : []
}

putDown(firstExample())
