import type { Signal } from '@preact/signals'
import { MAX_LEVELS } from '../../../scorer/limits.ts'
import type { Json } from '../../../src/json/json.ts'
import { whenDrawn } from '../ui/drawn.ts'
import * as desk from './desk.ts'
import type { Draft } from './draft.ts'
import { RemoveButton } from './remove-button.tsx'
import { Wording } from './wording.tsx'

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
            onChange={value => set(now.levels.with(at, value ?? ''))}
          />
          <RemoveButton what={`level ${at} of ${name}`} remove={() => set(now.levels.toSpliced(at, 1))} />
        </div>
      ))}
      {now.levels.length < MAX_LEVELS && (
        <button type="button" class="link" onClick={event => add(event.currentTarget.parentElement)}>
          Add a level<span class="unseen"> to {name}</span>
        </button>
      )}
    </div>
  )
}
