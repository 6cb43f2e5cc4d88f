// Questions as the form edits them. A draft keeps every field, its order and its digits, so that going from JSON
// to the form and back changes nothing that was not touched.
import { MAX_LEVELS } from '../../../scorer/limits.ts'
import { isArray, isObject, type Json, type JsonArray, type JsonObject } from '../../../src/json/json.ts'

export const QUESTION_TYPES = ['choice', 'noul', 'score'] as const
export type QuestionType = (typeof QUESTION_TYPES)[number]

/** An option has an identity of its own: while someone types, two may have the same key. */
export type Option = { uid: number; key: string; description: Json }

type Named = { uid: number; id: string }

/** A question in a shape the form shows. */
type Shown = Named & {
  fields: JsonObject
  /** What it was as other types: stepping through the types, for example with the arrow keys, loses nothing. */
  was?: Was
  /** Options or levels converted from another type. They are not its own until they are changed. */
  carried?: readonly Option[] | JsonArray
} & ({ kind: 'choice'; options: readonly Option[] } | { kind: 'noul' } | { kind: 'score'; levels: JsonArray })

type Was = { readonly [Type in QuestionType]?: Extract<Shown, { kind: Type }> }

/** A raw question may be valid for the service but has a shape the form cannot show. It is kept as it is. */
export type Draft = Shown | (Named & { kind: 'raw'; value: Json })

let lastUid = 0
export const nextUid = (): number => ++lastUid

/** The drafts of a `questions` value; null if it is not a map of questions, because the form shows only those. */
export const draftsOf = (questions: Json): Draft[] | null =>
  isObject(questions) ? [...questions].map(([id, question]) => draftOf(id, question)) : null

const draftOf = (id: string, question: Json): Draft => {
  const named = { uid: nextUid(), id }
  const raw: Draft = { ...named, kind: 'raw', value: question }
  if (!isObject(question)) return raw
  for (const name of question.keys()) if (!['type', 'instructions', 'criteria'].includes(name)) return raw
  if (!isWording(question.get('instructions'))) return raw
  const criteria = question.get('criteria')
  switch (question.get('type')) {
    case 'choice':
      if (!isObject(criteria) || ![...criteria.values()].every(isWording)) return raw
      return {
        ...named,
        kind: 'choice',
        fields: question,
        options: [...criteria].map(([key, description]) => ({ uid: nextUid(), key, description })),
      }
    case 'noul':
      if (!(criteria === undefined || criteria === null || isSides(criteria))) return raw
      return { ...named, kind: 'noul', fields: question }
    case 'score':
      if (!isArray(criteria) || !criteria.every(isWording)) return raw
      return { ...named, kind: 'score', fields: question, levels: criteria }
    default:
      return raw
  }
}

export const questionOf = (draft: Draft): Json => {
  switch (draft.kind) {
    case 'raw':
      return draft.value
    case 'noul':
      return draft.fields
    case 'score':
      return withField(draft.fields, 'criteria', draft.levels)
    case 'choice':
      return withField(
        draft.fields,
        'criteria',
        new Map(draft.options.map(option => [option.key, option.description])),
      )
  }
}

export const questionsOf = (drafts: readonly Draft[]): JsonObject =>
  new Map(drafts.map(draft => [draft.id, questionOf(draft)]))

/** A copy with one field set in its place, or at the end when it is new. */
export const withField = (fields: JsonObject, name: string, value: Json): JsonObject =>
  new Map(fields).set(name, value)

export const instructionsOf = (draft: Draft): Json =>
  draft.kind === 'raw' ? null : (draft.fields.get('instructions') ?? null)

/** What `true` or `false` of a noul means; null when nothing is said. */
export const sideOf = (fields: JsonObject, side: 'true' | 'false'): Json => {
  const criteria = fields.get('criteria')
  return isObject(criteria) ? (criteria.get(side) ?? null) : null
}

export const withSide = (fields: JsonObject, side: 'true' | 'false', value: Json): JsonObject => {
  const criteria = fields.get('criteria')
  return withField(fields, 'criteria', withField(isObject(criteria) ? criteria : new Map(), side, value))
}

export const newDraft = (type: QuestionType, id: string): Shown => {
  const fields: JsonObject = new Map<string, Json>([
    ['type', type],
    ['instructions', ''],
  ])
  const uid = nextUid()
  if (type === 'noul') return { uid, id, kind: 'noul', fields }
  if (type === 'score') return { uid, id, kind: 'score', fields, levels: ['', ''] }
  return { uid, id, kind: 'choice', fields, options: [newOption(), newOption()] }
}

export const newOption = (key = ''): Option => ({ uid: nextUid(), key, description: null })

/** The same question asked another way. */
export const retyped = (draft: Draft, type: QuestionType): Draft => {
  if (draft.kind === type || draft.kind === 'raw') return draft
  const { was: before, ...now } = draft
  const own = now.kind === 'choice' ? now.options : now.kind === 'score' ? now.levels : null
  // What was only converted in passing is converted again next time: the other type may have changed by then.
  const was: Was = now.carried === own ? (before ?? {}) : { ...before, [now.kind]: now }
  const as = was[type] ?? converted(was, type, now.id)
  const instructions = now.fields.get('instructions') ?? ''
  const fields =
    (as.fields.get('instructions') ?? '') === instructions
      ? as.fields
      : withField(as.fields, 'instructions', instructions)
  return { ...as, uid: now.uid, id: now.id, fields, was }
}

/** Wording carries over where the types have room for it. */
const converted = ({ choice, score }: Was, type: QuestionType, id: string): Shown => {
  const fresh = newDraft(type, id)
  if (fresh.kind === 'score' && choice !== undefined && choice.options.length >= 2) {
    const levels = choice.options.slice(0, MAX_LEVELS).map(o => o.description ?? o.key)
    return { ...fresh, levels, carried: levels }
  }
  if (fresh.kind === 'choice' && score !== undefined) {
    const options = score.levels.map((level, at) => ({ ...newOption(`level_${at}`), description: level }))
    return { ...fresh, options, carried: options }
  }
  return fresh
}

const isWording = (value: Json | undefined): boolean =>
  value === undefined || value === null || typeof value === 'string' || isObject(value) || isArray(value)

const isSides = (value: Json): boolean =>
  isObject(value) &&
  [...value].every(([side, text]) => (side === 'true' || side === 'false') && isWording(text))
