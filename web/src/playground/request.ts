// From what the panes hold to the text of a request, or to the place of the first mistake the page itself can see.
import { readJson } from '../../../src/json/reader.ts'
import { compact } from '../../../src/json/writer.ts'
import { type Draft, questionsOf } from './draft.ts'

export type StateForm = 'text' | 'json'

export type Asked = {
  state: { form: StateForm; text: string }
  questions: { form: 'form'; drafts: readonly Draft[] } | { form: 'json'; text: string }
  model: string
  calibration: string
  orderInvariant: boolean
}

/** A mistake and the field it stands at, in the words of an API error; `at` is a character of a JSON text. */
export type Mistake = { param: string; message: string; at?: number }

export type Written =
  | { kind: 'written'; state: string; questions: string; body: string }
  | ({ kind: 'mistaken' } & Mistake)

/** The caller's own text goes out as it stands: nothing is re-serialised for tidiness. */
export const writeRequest = (asked: Asked): Written => {
  const state = asked.state.form === 'text' ? JSON.stringify(asked.state.text) : asked.state.text
  if (asked.state.form === 'json') {
    const reading = readJson(state)
    if (reading.kind === 'refused')
      return {
        kind: 'mistaken',
        param: 'state',
        message: `The state is not valid JSON: ${reading.rule}.`,
        at: reading.at,
      }
  }
  const questions = questionsText(asked.questions)
  if (typeof questions !== 'string') return { kind: 'mistaken', ...questions }
  const members = [
    `"state":${state}`,
    `"questions":${questions}`,
    ...(asked.model === '' ? [] : [`"model":${JSON.stringify(asked.model)}`]),
    ...(asked.calibration === '' ? [] : [`"calibration":${JSON.stringify(asked.calibration)}`]),
    ...(asked.orderInvariant ? ['"order_invariant":true'] : []),
  ]
  return { kind: 'written', state, questions, body: `{${members.join(',')}}` }
}

const questionsText = (questions: Asked['questions']): string | Mistake => {
  if (questions.form === 'json') {
    const reading = readJson(questions.text)
    if (reading.kind === 'read') return questions.text
    return {
      param: 'questions',
      message: `The questions are not valid JSON: ${reading.rule}.`,
      at: reading.at,
    }
  }
  return repeatedName(questions.drafts) ?? compact(questionsOf(questions.drafts))
}

/** Two of one name would leave only one in a map: the form says so instead of losing it. */
export const repeatedName = (drafts: readonly Draft[]): Mistake | null => {
  const ids = new Set<string>()
  for (const draft of drafts) {
    if (ids.has(draft.id)) return { param: `questions.${draft.id}`, message: 'Two questions have this id.' }
    ids.add(draft.id)
    if (draft.kind !== 'choice') continue
    if (new Set(draft.options.map(option => option.key)).size < draft.options.length) {
      return { param: `questions.${draft.id}.criteria`, message: 'Two options have the same name.' }
    }
  }
  return null
}
