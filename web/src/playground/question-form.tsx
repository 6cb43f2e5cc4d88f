import { type Signal, useComputed } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { JsonObject } from '../../../src/json/json.ts'
import { FieldError, faultyBy } from '../ui/field-error.tsx'
import { Icon } from '../ui/icon.tsx'
import { pretty } from '../ui/pretty.ts'
import { Toolbar } from '../ui/toolbar.tsx'
import * as desk from './desk.ts'
import {
  type Draft,
  instructionsOf,
  QUESTION_TYPES,
  type QuestionType,
  questionOf,
  retyped,
  sideOf,
  withField,
  withSide,
} from './draft.ts'
import { faultIn } from './fault.ts'
import { LevelList } from './level-list.tsx'
import { OptionList } from './option-list.tsx'
import { RemoveButton } from './remove-button.tsx'
import { Wording } from './wording.tsx'

type Props = {
  draft: Signal<Draft>
  at: number
  move: (at: number, by: -1 | 1) => void
  copy: (at: number) => void
  remove: (at: number) => void
}

export const QuestionForm = ({ draft, at, move, copy, remove }: Props) => {
  const { uid, id, kind } = draft.value
  const faulty = useComputed(() => desk.questionsForm.value === 'form' && faultIn(draft.value.id) !== null)
  const isOpen = useComputed(() => desk.openDrafts.value.has(draft.peek().uid))
  // Once for each fault: whoever then folds the question has seen it.
  useEffect(() => {
    if (faulty.value) desk.setOpen(uid, true)
  }, [faulty.value])
  const name = id === '' ? `question ${at + 1}` : id
  const isTwice = faulty.value && desk.drafts.value.some(other => other !== draft && other.value.id === id)
  return (
    <li class={faulty.value ? 'question faulty' : 'question'}>
      <div class="question-head">
        <button
          type="button"
          class="fold"
          aria-expanded={isOpen.value}
          aria-controls={`q${uid}`}
          aria-label={`${isOpen.value ? 'Collapse' : 'Expand'} ${name}`}
          onClick={() => desk.setOpen(uid, !isOpen.value)}
        >
          <Icon name="fold" />
        </button>
        <input
          id={`q${uid}-id`}
          class="id mono"
          aria-label={`Id of question ${at + 1}`}
          {...faultyBy(`q${uid}-error`, isTwice)}
          spellcheck={false}
          autocomplete="off"
          value={id}
          onInput={event => desk.changeDraft(draft, { ...draft.peek(), id: event.currentTarget.value })}
        />
        {isOpen.value && kind !== 'raw' ? (
          <TypePicker draft={draft} name={name} />
        ) : (
          <span class="kind">{TYPE_NAMES[kind]}</span>
        )}
        <Toolbar class="question-tools" label={`Change ${name}`}>
          <button
            type="button"
            class="icon small"
            aria-label={`Move ${name} up`}
            aria-disabled={at === 0}
            onClick={() => move(at, -1)}
          >
            <Icon name="up" />
          </button>
          <button
            type="button"
            class="icon small"
            aria-label={`Move ${name} down`}
            aria-disabled={at === desk.drafts.value.length - 1}
            onClick={() => move(at, 1)}
          >
            <Icon name="down" />
          </button>
          <button type="button" class="icon small" aria-label={`Duplicate ${name}`} onClick={() => copy(at)}>
            <Icon name="copy" />
          </button>
          <RemoveButton what={name} remove={() => remove(at)} />
        </Toolbar>
      </div>
      {isOpen.value ? <Body draft={draft} name={name} /> : <Excerpt draft={draft.value} />}
    </li>
  )
}

/** What the form calls a question's type. */
export const TYPE_NAMES = { choice: 'choice', noul: 'yes / no', score: 'score', raw: 'JSON' } as const

const Excerpt = ({ draft }: { draft: Draft }) => {
  const instructions = instructionsOf(draft)
  const text = typeof instructions === 'string' ? instructions : ''
  return text === '' ? null : <p class="excerpt">{text}</p>
}

const TypePicker = ({ draft, name }: { draft: Signal<Draft>; name: string }) => (
  <select
    class="kind"
    aria-label={`Type of ${name}`}
    autocomplete="off"
    value={draft.value.kind}
    onChange={event =>
      desk.changeDraft(draft, retyped(draft.peek(), event.currentTarget.value as QuestionType))
    }
  >
    {QUESTION_TYPES.map(type => (
      <option value={type}>{TYPE_NAMES[type]}</option>
    ))}
  </select>
)

const Body = ({ draft, name }: { draft: Signal<Draft>; name: string }) => {
  const now = draft.value
  if (now.kind === 'raw') {
    return (
      <div class="question-body" id={`q${now.uid}`}>
        <p class="muted small">
          This question has fields or aliases the form does not show. It is sent as it is.
        </p>
        <pre class="raw">{pretty(questionOf(now))}</pre>
        <FieldError id={`q${now.uid}-error`} message={faultIn(now.id)} />
      </div>
    )
  }
  const setFields = (fields: JsonObject) => desk.changeDraft(draft, { ...now, fields })
  return (
    <div class="question-body" id={`q${now.uid}`}>
      <FieldError id={`q${now.uid}-error`} message={faultIn(now.id, '') ?? faultIn(now.id, 'type')} />
      <Wording
        class="instructions"
        label={`Instructions of ${name}`}
        placeholder={now.kind === 'noul' ? 'A statement that is true or false' : 'What to decide'}
        value={instructionsOf(now)}
        error={faultIn(now.id, 'instructions')}
        onChange={value => setFields(withField(now.fields, 'instructions', value))}
      />
      {now.kind === 'choice' && <OptionList draft={draft} name={name} />}
      {now.kind === 'score' && <LevelList draft={draft} name={name} />}
      {now.kind === 'noul' && (
        <div class="sides">
          {(['true', 'false'] as const).map(side => (
            <div class="side">
              <span class="option-key">{side === 'true' ? 'Yes' : 'No'}</span>
              <Wording
                label={`What ${side === 'true' ? 'yes' : 'no'} means in ${name}`}
                placeholder="what this means (optional)"
                value={sideOf(now.fields, side)}
                onChange={value => setFields(withSide(now.fields, side, value))}
              />
            </div>
          ))}
        </div>
      )}
      <FieldError id={`q${now.uid}-criteria-error`} message={faultIn(now.id, 'criteria')} />
    </div>
  )
}
