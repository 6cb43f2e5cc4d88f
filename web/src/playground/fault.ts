// The error, if there is one, as the panes need it.
import { computed } from '@preact/signals'
import type { Mark } from '../editor/code.ts'
import * as desk from './desk.ts'
import { type Place, placeOf } from './place.ts'
import { trouble } from './run.ts'

export type Fault = { message: string; place: Place; path: string; at: number | null }

export const fault = computed((): Fault | null => {
  const why = trouble.value
  if (why?.kind !== 'mistake' && why?.kind !== 'refused') return null
  const at = 'at' in why && why.at !== undefined ? why.at : null
  return { message: why.message, place: placeOf(why.param, desk.questionIds()), path: why.param ?? '', at }
})

/** Where it stands in a pane's text. */
export const markIn = (pane: 'state' | 'questions'): Mark | null => {
  const found = fault.value
  if (found?.place.pane !== pane) return null
  const { message, at, path } = found
  return at === null ? { message, path: path.slice(`${pane}.`.length) } : { message, at }
}

/** The message for one field of one question; the empty field name stands for the question as a whole. */
export const faultIn = (
  id: string,
  field: 'id' | 'type' | 'instructions' | 'criteria' | '',
): string | null => {
  const found = fault.value
  if (found?.place.pane !== 'questions' || found.place.id !== id) return null
  const [named = ''] = found.place.rest.split('.', 1)
  const shown = ['type', 'instructions', 'criteria'].includes(named) ? named : ''
  return shown === field ? found.message : null
}
