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

type Coming = { title: string; load: () => Promise<Example> }

const coming = (title: string, text: () => Promise<{ default: string }>): Coming => ({
  title,
  load: async () => exampleOf(title, (await text()).default),
})

const FIRST = 'Ticket routing'

export const firstExample = (): Example => exampleOf(FIRST, ticket)

export const EXAMPLES: readonly Coming[] = [
  { title: FIRST, load: async () => firstExample() },
  coming('Customer intent', () => import('./intent.json?raw')),
  coming('Reviews as records', () => import('./reviews.json?raw')),
  coming('Extraction check', () => import('./extraction.json?raw')),
  coming('Notes of a call', () => import('./call.json?raw')),
  coming('48 questions, one state', () => import('./feedback.json?raw')),
  coming('An unsure answer', () => import('./unsure.json?raw')),
]

const exampleOf = (title: string, text: string): Example => {
  const reading = readJson(text)
  if (reading.kind === 'refused' || !isObject(reading.value))
    throw new Error('An example is not a JSON object.')
  const value = reading.value
  return {
    title,
    shows: textIn(value, 'shows'),
    state: value.get('state') ?? null,
    questions: value.get('questions') ?? null,
    orderInvariant: false,
  }
}
