// Turns what the panes hold into the text of a request, or into the first mistake that the page itself can see.
import type { Json } from '../../../src/json/json.ts'
import { readJson } from '../../../src/json/reader.ts'
import { compact } from '../../../src/json/writer.ts'
import { count } from '../ui/format.ts'
import { type Draft, instructionsOf, questionsOf } from './draft.ts'

export type StateForm = 'text' | 'json'

export type OnDesk = {
  state: { form: StateForm; text: string }
  questions: { form: 'form'; drafts: readonly Draft[] } | { form: 'json'; text: string }
  model: string
  calibration: string
  orderInvariant: boolean
}

/** A mistake and its field, in the form of an API error; `at` is a position in a JSON text. */
export type Mistake = { kind: 'mistake'; param: string; message: string; at?: number }

export type Written = { kind: 'written'; state: string; questions: string; body: string } | Mistake

/** The caller's own text is sent unchanged: nothing is re-serialised for tidiness. */
export const writeRequest = (asked: OnDesk): Written => {
  const state = asked.state.form === 'text' ? quoted(asked.state.text) : asked.state.text
  if (asked.state.form === 'json') {
    const reading = readJson(state)
    if (reading.kind === 'refused') return notJson('state', reading)
  }
  const questions = questionsText(asked.questions)
  if (typeof questions !== 'string') return questions
  const members = [
    `"state":${state}`,
    `"questions":${questions}`,
    ...(asked.model === '' ? [] : [`"model":${JSON.stringify(asked.model)}`]),
    ...(asked.calibration === '' ? [] : [`"calibration":${JSON.stringify(asked.calibration)}`]),
    ...(asked.orderInvariant ? ['"order_invariant":true'] : []),
  ]
  return { kind: 'written', state, questions, body: `{${members.join(',')}}` }
}

/** What someone is still about to write, in words; null if nothing is missing. Until then nothing is asked unbidden. */
export const missingIn = ({ state, questions }: Pick<OnDesk, 'state' | 'questions'>): string | null => {
  if (state.text.trim() === '') return 'the state is empty'
  if (questions.form === 'json') return null
  for (const draft of questions.drafts) {
    const wording = instructionsOf(draft)
    // A choice and a score may do without, but what was begun is to be written.
    if (wording === null ? draft.kind === 'noul' : isEmpty(wording)) return 'a question has no instructions'
    if (draft.kind === 'choice' && draft.options.some(option => isEmpty(option.key)))
      return 'an option has no name'
    if (draft.kind === 'score' && draft.levels.some(isEmpty)) return 'a level is empty'
  }
  return null
}

const isEmpty = (wording: Json): boolean =>
  wording === null || (typeof wording === 'string' && wording.trim() === '')

const questionsText = (questions: OnDesk['questions']): string | Mistake => {
  if (questions.form === 'json') {
    const reading = readJson(questions.text)
    return reading.kind === 'read' ? questions.text : notJson('questions', reading)
  }
  return repeatedName(questions.drafts) ?? compact(questionsOf(questions.drafts), quoted)
}

/** Half a surrogate pair, which a program that cuts texts can leave, goes as the U+FFFD that browsers show for it. */
const quoted = (text: string): string => JSON.stringify(text.toWellFormed())

export const notJson = (
  param: 'state' | 'questions',
  { rule, at }: { rule: string; at: number },
): Mistake => {
  const subject = param === 'state' ? 'The state is' : 'The questions are'
  return { kind: 'mistake', param, message: `${subject} not valid JSON: ${rule}.`, at }
}

/** A map would keep only one of two equal names, so the form reports them instead of losing one. */
export const repeatedName = (drafts: readonly Draft[]): Mistake | null => {
  const ids = new Set<string>()
  for (const draft of drafts) {
    const param = `questions.${draft.id}`
    if (ids.has(draft.id)) return { kind: 'mistake', param, message: 'Two questions have this id.' }
    ids.add(draft.id)
    if (draft.kind !== 'choice') continue
    const places = new Map<string, number>()
    for (const [at, { key }] of draft.options.entries()) {
      const earlier = places.get(key)
      if (earlier !== undefined) {
        // By their places: there may be a thousand.
        const both = `Options ${count(earlier + 1)} and ${count(at + 1)} have`
        const message = key === '' ? `${both} no name.` : `${both} the same name.`
        return { kind: 'mistake', param: `${param}.criteria`, message }
      }
      places.set(key, at)
    }
  }
  return null
}
