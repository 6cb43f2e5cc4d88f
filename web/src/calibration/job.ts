// The calibration in this tab: its examples, progress and result.
import { signal } from '@preact/signals'
import { calibrationBody, withoutLabels } from '../../../src/calibration/examples-file.ts'
import { CalibrationResponse } from '../../../src/calibration/wire.ts'
import type { JsonObject } from '../../../src/json/json.ts'
import { putDown } from '../playground/desk.ts'
import type { Refusal } from '../service/client.ts'
import { fitting } from '../service/fitting.ts'
import { isBoundToKey } from '../service/refused-key.ts'
import { upload } from '../service/upload.ts'
import { askBeforeLosing } from '../shell/leaving.ts'
import { go } from '../shell/route.ts'
import { key } from '../shell/session.ts'
import { type ExamplesFile, lineOf } from './examples-file.ts'

type Job =
  | { kind: 'idle' }
  | { kind: 'sending'; share: number }
  | { kind: 'scoring'; since: number }
  | { kind: 'done' }
  | ({ kind: 'refused'; line: number | null } & Refusal)
  | { kind: 'unreachable' }

export type Fitted = {
  report: CalibrationResponse
  tookMs: number
  examples: Pick<ExamplesFile, 'name' | 'first'>
}

/** The text of an answer that this page cannot read: after a release, an open tab may know another form. */
export type UnreadAnswer = { answer: string }

export const file = signal<ExamplesFile | null>(null)
export const targetPercent = signal('5')
export const offsets = signal(false)
export const model = signal('')
export const job = signal<Job>({ kind: 'idle' })
/** The last successful calibration. It was paid for, so neither a later failure nor another file clears it. */
export const fitted = signal<Fitted | UnreadAnswer | null>(null)

export const underWay = (): boolean => job.value.kind === 'sending' || job.value.kind === 'scoring'

// What was begun may be charged, whoever is still there for the profile.
askBeforeLosing(() => fitted.peek() !== null || underWay())

// What was said of one key is not true of the next.
key.subscribe(() => {
  const was = job.peek()
  if (was.kind === 'refused' && isBoundToKey(was)) job.value = { kind: 'idle' }
})

/** The target error as the service takes it; null if it is none. */
export const targetError = (): number | null => {
  const target = Number(targetPercent.value.replace(',', '.')) / 100
  return target > 0 && target < 0.5 ? target : null
}

let flight: AbortController | null = null

export const start = async (): Promise<void> => {
  const examples = file.peek()
  const inUse = key.peek()
  const target = targetError()
  if (examples === null || inUse === null || target === null) return
  const mine = new AbortController()
  flight = mine
  job.value = { kind: 'sending', share: 0 }
  const answer = await upload({
    path: '/v1/calibrations',
    key: inUse.value,
    body: calibrationBody(examples.text, {
      targetError: target,
      offsets: offsets.peek(),
      model: model.peek().trim() || null,
    }),
    signal: mine.signal,
    onSent: share => {
      job.value = share < 1 ? { kind: 'sending', share } : { kind: 'scoring', since: performance.now() }
    },
  })
  const reply = fitting(answer, CalibrationResponse)
  if (reply.kind === 'aborted') return
  if (reply.kind === 'ok') {
    fitted.value = { report: reply.value, tookMs: reply.envelope.roundTripMs, examples }
    job.value = { kind: 'done' }
  } else if (answer.kind === 'ok') {
    fitted.value = { answer: answer.text }
    job.value = { kind: 'done' }
  } else if (reply.kind === 'refused' && isBoundToKey(reply.refusal) && key.peek() !== inUse) {
    // Another key was entered meanwhile.
    job.value = { kind: 'idle' }
  } else if (reply.kind === 'refused') {
    const { refusal } = reply
    job.value = { kind: 'refused', ...refusal, line: lineOf(examples, refusal.param) }
  } else job.value = reply
}

export const cancel = (): void => {
  flight?.abort()
  job.value = { kind: 'idle' }
}

/** Clears also what was said of the previous file. */
export const takeFile = (examples: ExamplesFile): void => {
  job.value = { kind: 'idle' }
  file.value = examples
}

/** Opens the playground with the profile and one of its examples, to show the profile at work. */
export const openInPlayground = (report: CalibrationResponse, example: JsonObject | null): void => {
  putDown({
    title: '',
    shows: '',
    orderInvariant: false,
    ...withoutLabels(example ?? new Map()),
    calibration: report.profile,
    // A profile is bound to one snapshot; an alias may advance to another.
    model: report.model,
  })
  go('/')
}
