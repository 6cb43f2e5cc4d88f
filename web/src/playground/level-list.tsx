import type { Signal } from '@preact/signals'
import type { Json } from '../../../src/json/json.ts'
import { whenDrawn } from '../ui/drawn.ts'
import { Icon } from '../ui/icon.tsx'
import { removeRow } from '../ui/row.ts'
import * as desk from './desk.ts'
import type { Draft } from './draft.ts'
import { Wording } from './wording.tsx'

const LEVELS_MAX = 10

/** The levels of a score, lowest first. */
export const LevelList = ({ draft, name }: { draft: Signal<Draft>; name: string }) => {
  const now = draft.value
  if (now.kind !== 'score') return null
  const set = (levels: readonly Json[]) => desk.changeDraft(draft, { ...now, levels })
  const add = (list: HTMLElement | null) => {
    set([...now.levels, ''])
    whenDrawn(() => list?.querySelector<HTMLElement>('.level:nth-last-child(1 of .level) textarea')?.focus())
  }
  return (
    <div class="options">
      {now.levels.map((level, at) => (
        <div class="option level">
          <span class="option-key mono" aria-hidden="true">
            {at}
          </span>
          <Wording
            label={`Level ${at} of ${name}`}
            placeholder={at === 0 ? 'the lowest level' : 'the next level'}
            value={level}
            error={null}
            onChange={value => set(now.levels.with(at, value ?? ''))}
          />
          <button
            type="button"
            class="icon small"
            aria-label={`Remove level ${at} of ${name}`}
            onClick={event => removeRow(event.currentTarget, () => set(now.levels.toSpliced(at, 1)))}
          >
            <Icon name="remove" />
          </button>
        </div>
      ))}
      {now.levels.length < LEVELS_MAX && (
        <button type="button" class="link" onClick={event => add(event.currentTarget.parentElement)}>
          Add a level
        </button>
      )}
    </div>
  )
}
