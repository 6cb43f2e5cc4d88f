import * as v from 'valibot'
import type { SnapshotInfo, UnitQuestion } from '../../protocol.ts'
import { RENDERING } from '../rendering/markers.ts'

const Temperature = v.pipe(v.number(), v.gtValue(0))
const Digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/))
/** Of a snapshot or a file: never a path. */
const Name = v.pipe(v.string(), v.regex(/^[\w-][\w.-]*$/))
/** The pattern of a date lets the 31st of every month pass. */
const isOnCalendar = (day: string): boolean => {
  const at = new Date(day)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day)
}
const Day = v.pipe(v.string(), v.isoDate(), v.check(isOnCalendar, 'There is no such day'))

/** `snapshot.json`: what a snapshot is, and the SHA-256 of each of its files. */
export const Description = v.object({
  id: Name,
  released: Day,
  status: v.string(),
  base: v.string(),
  max_state_tokens: v.pipe(v.number(), v.integer(), v.minValue(1)),
  modalities: v.array(v.string()),
  retire_after: v.nullable(Day),
  rendering: v.literal(RENDERING),
  temperatures: v.object({
    choice: v.strictObject({
      '2': Temperature,
      '3-4': Temperature,
      '5-8': Temperature,
      '9-16': Temperature,
      '17-64': Temperature,
      '65+': Temperature,
    }),
    noul: Temperature,
    score: Temperature,
  }),
  files: v.record(Name, Digest),
})
export type Description = v.InferOutput<typeof Description>

export const publicInfo = (description: Description): SnapshotInfo => {
  const { id, released, status, base, max_state_tokens, modalities, retire_after } = description
  return { id, released, status, base, max_state_tokens, modalities, retire_after }
}

/** What a question's logits are multiplied by: 1 / the temperature for its type and number of options. */
export const logitScale = (temperatures: Description['temperatures'], question: UnitQuestion): number =>
  1 /
  (question.type === 'choice'
    ? choiceTemperature(temperatures.choice, question.options.length)
    : temperatures[question.type])

const choiceTemperature = (buckets: Description['temperatures']['choice'], options: number): number => {
  if (options <= 2) return buckets['2']
  if (options <= 4) return buckets['3-4']
  if (options <= 8) return buckets['5-8']
  if (options <= 16) return buckets['9-16']
  if (options <= 64) return buckets['17-64']
  return buckets['65+']
}
