// The error, if there is one, as the panes need it.
import { computed } from '@preact/signals'
import type { Mark } from '../editor/code.ts'
import * as desk from './desk.ts'
import { type Place, placeOf } from './place.ts'
import { refusedEarlier, trouble } from './run.ts'

type Complaint = { message: string; place: Place; path: string; at: number | null }

/** These two refusals name no field, but there is only one they can mean. */
const FIELD_OF_CODE: Readonly<Record<string, string>> = {
  model_not_found: 'model',
  profile_model_mismatch: 'calibration',
}

export const fault = computed((): Complaint | null => {
  const why = trouble.value
  if (why?.kind !== 'mistake' && why?.kind !== 'refused') return null
  const { param } = why
  const message = refusedEarlier.value ? `${why.message} (for the earlier text)` : why.message
  const path = param ?? (why.kind === 'refused' ? FIELD_OF_CODE[why.code] : null) ?? ''
  const at = why.kind === 'mistake' ? (why.at ?? null) : null
  return { message, place: placeOf(path, desk.questionIds()), path, at }
})

/** What is wrong with one of the settings. */
export const faultInSetting = (name: 'model' | 'calibration'): string | null =>
  fault.value?.place.pane === name ? fault.value.message : null

/** The place of the error in a pane's text. */
export const markIn = (pane: 'state' | 'questions'): Mark | null => {
  const found = fault.value
  if (found?.place.pane !== pane) return null
  const { message, at, path } = found
  return at === null ? { message, path: path.slice(`${pane}.`.length) } : { message, at }
}

/** What is wrong with a question, or with one field of it; the empty name stands for the question as a whole. */
export const faultIn = (id: string, field?: 'type' | 'instructions' | 'criteria' | ''): string | null => {
  const found = fault.value
  if (found?.place.pane !== 'questions' || found.place.id !== id) return null
  const [named = ''] = found.place.rest.split('.', 1)
  const shown = ['type', 'instructions', 'criteria'].includes(named) ? named : ''
  return field === undefined || shown === field ? found.message : null
}
