import { isObject, type Json } from '../../../../src/json/json.ts'
import { readJson } from '../../../../src/json/reader.ts'
import { textIn } from '../../service/fields.ts'
import ticket from './ticket.json?raw'

// Kept as text and read by our own reader, so that an example keeps the order it was written in.
export type Example = {
  title: string
  /** What the example is there to show, in a sentence. */
  shows: string
  state: Json
  questions: Json
  orderInvariant: boolean
  /** If these are absent, the desk keeps its own. */
  model?: string
  calibration?: string
}

export const EXAMPLES: readonly { title: string; load: () => Promise<Example> }[] = [
  { title: 'Ticket routing', load: async () => exampleOf(ticket) },
  { title: 'Customer intent', load: async () => exampleOf((await import('./intent.json?raw')).default) },
  { title: 'Reviews as records', load: async () => exampleOf((await import('./reviews.json?raw')).default) },
  { title: 'Extraction check', load: async () => exampleOf((await import('./extraction.json?raw')).default) },
  { title: 'Notes of a call', load: async () => exampleOf((await import('./call.json?raw')).default) },
  {
    title: '48 questions, one state',
    load: async () => exampleOf((await import('./feedback.json?raw')).default),
  },
  { title: 'An unsure answer', load: async () => exampleOf((await import('./unsure.json?raw')).default) },
]

export const firstExample = (): Example => exampleOf(ticket)

const exampleOf = (text: string): Example => {
  const reading = readJson(text)
  if (reading.kind === 'refused' || !isObject(reading.value))
    throw new Error('An example is not a JSON object.')
  const value = reading.value
  return {
    title: textIn(value, 'title'),
    shows: textIn(value, 'shows'),
    state: value.get('state') ?? null,
    questions: value.get('questions') ?? null,
    orderInvariant: false,
  }
}
