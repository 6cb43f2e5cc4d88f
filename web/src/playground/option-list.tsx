import type { Signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { whenDrawn } from '../ui/drawn.ts'
import { faultyBy } from '../ui/field-error.tsx'
import { count } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import * as desk from './desk.ts'
import { type Draft, newOption, type Option } from './draft.ts'
import { faultIn } from './fault.ts'
import { RemoveButton } from './remove-button.tsx'
import { Wording } from './wording.tsx'

/** Options shown at a time: a thousand rows of fields would make every keystroke slow. */
const PAGE = 40

/** The options of a choice, in their order. */
export const OptionList = ({ draft, name }: { draft: Signal<Draft>; name: string }) => {
  const now = draft.value
  const [first, setFirst] = useState(0)
  if (now.kind !== 'choice') return null
  const set = (options: readonly Option[]) => desk.changeDraft(draft, { ...now, options })
  const change = (uid: number, part: Partial<Option>) =>
    set(now.options.map(option => (option.uid === uid ? { ...option, ...part } : option)))
  // The copy of a question has the same options.
  const idOf = ({ uid }: Option) => `q${now.uid}-o${uid}`
  const faulty = faultIn(now.id, 'criteria') !== null
  const isTwice = ({ uid, key }: Option) =>
    faulty && now.options.some(other => other.uid !== uid && other.key === key)
  const start = Math.min(first, Math.max(0, Math.ceil(now.options.length / PAGE) - 1) * PAGE)
  const add = () => {
    const option = newOption()
    set([...now.options, option])
    setFirst(Math.floor(now.options.length / PAGE) * PAGE)
    whenDrawn(() => document.getElementById(idOf(option))?.focus())
  }
  return (
    <div class="options">
      {now.options.slice(start, start + PAGE).map((option, at) => (
        <div class="option" key={option.uid}>
          <input
            id={idOf(option)}
            class="option-key mono"
            aria-label={`Option ${start + at + 1} of ${name}`}
            {...faultyBy(`q${now.uid}-criteria-error`, isTwice(option))}
            placeholder="option"
            spellcheck={false}
            autocomplete="off"
            value={option.key}
            onInput={event => change(option.uid, { key: event.currentTarget.value })}
          />
          <Wording
            label={`Description of ${option.key || `option ${start + at + 1}`} in ${name}`}
            placeholder="what it means (optional)"
            value={option.description}
            onChange={description => change(option.uid, { description })}
          />
          <RemoveButton
            what={`option ${option.key || start + at + 1} of ${name}`}
            remove={() => set(now.options.filter(other => other.uid !== option.uid))}
          />
        </div>
      ))}
      <div class="row">
        <button type="button" class="link" onClick={add}>
          Add an option<span class="unseen"> to {name}</span>
        </button>
        {now.options.length > PAGE && (
          <span class="pager">
            <button
              type="button"
              class="icon small"
              aria-label={`Earlier options of ${name}`}
              aria-disabled={start === 0}
              onClick={() => setFirst(Math.max(0, start - PAGE))}
            >
              <Icon name="earlier" />
            </button>
            <span>
              {count(start + 1)}–{count(Math.min(start + PAGE, now.options.length))} of{' '}
              {count(now.options.length)}
            </span>
            <button
              type="button"
              class="icon small"
              aria-label={`Later options of ${name}`}
              aria-disabled={start + PAGE >= now.options.length}
              onClick={() => start + PAGE < now.options.length && setFirst(start + PAGE)}
            >
              <Icon name="later" />
            </button>
          </span>
        )}
      </div>
    </div>
  )
}
