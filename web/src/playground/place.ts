// Where an error belongs on the page. `param` is a dotted path, and a question's id may hold dots itself.

export type Place =
  | { pane: 'state' | 'model' | 'calibration' | 'request' }
  | { pane: 'questions'; id: string | null; rest: string }

const QUESTIONS = 'questions.'

/** The pane, question and field that `param` names. */
export const placeOf = (param: string, ids: Iterable<string>): Place => {
  if (param === 'state' || param.startsWith('state.')) return { pane: 'state' }
  if (param === 'model' || param === 'calibration') return { pane: param }
  if (param === 'questions') return { pane: 'questions', id: null, rest: '' }
  if (!param.startsWith(QUESTIONS)) return { pane: 'request' }
  const path = param.slice(QUESTIONS.length)
  let longest: string | null = null
  for (const id of ids) {
    const names = path === id || path.startsWith(`${id}.`)
    if (names && (longest === null || id.length > longest.length)) longest = id
  }
  if (longest === null) return { pane: 'questions', id: null, rest: path }
  return { pane: 'questions', id: longest, rest: path.slice(longest.length + 1) }
}
