import { isArray, isObject, type Json, type JsonObject } from '../../../../src/json/json.ts'
import { compact } from '../../../../src/json/writer.ts'
import { objectIn } from '../../service/fields.ts'
import { literal, losesOrder, ORDER_NOTE } from './typescript.ts'

/** The request in the shape of OpenAI's decisions; its `/openai/v1` door answers in that shape too. */
export const openai = (request: JsonObject, origin: string): string => {
  const model = request.get('model') ?? 'decider-1'
  const extras = [...request].filter(([name]) => name === 'calibration' || name === 'order_invariant')
  const body = new Map<string, Json>([
    ['model', model],
    ['input', inputOf(request.get('state') ?? null)],
    [
      'questions',
      [...objectIn(request, 'questions')].flatMap(([name, question]) => questionOf(name, question)),
    ],
    ...extras,
  ])
  const note = extras.length > 0 ? '// Fields beyond OpenAI’s own need a cast in TypeScript.\n' : ''
  return `import OpenAI from 'openai'

const client = new OpenAI({
  baseURL: '${origin}/openai/v1',
  apiKey: process.env.DECIDER_API_KEY,
})

${losesOrder(body) ? ORDER_NOTE : ''}${note}const { answers } = await client.decisions.create(${literal(body)}${extras.length > 0 ? ' as never' : ''})

console.log(answers)
`
}

/** A text goes as it is; an object as a JSON part of a message. */
const inputOf = (state: Json): Json => {
  if (typeof state === 'string') return state
  const part: Json =
    isObject(state) || (isArray(state) && state.every(item => isObject(item)))
      ? new Map<string, Json>([
          ['type', 'input_json'],
          ['data', state],
        ])
      : new Map<string, Json>([
          ['type', 'input_text'],
          ['text', compact(state)],
        ])
  return [
    new Map<string, Json>([
      ['role', 'user'],
      ['content', [part]],
    ]),
  ]
}

const questionOf = (name: string, question: Json): Json[] => {
  if (!isObject(question)) return []
  const type = question.get('type')
  const criteria = question.get('criteria') ?? null
  const shared: [string, Json][] = [
    ['name', name],
    ['instructions', wording(question.get('instructions') ?? '')],
  ]
  if (type === 'choice' && isObject(criteria)) {
    const choices = [...criteria].map(
      ([value, description]) =>
        new Map<string, Json>([
          ['value', value],
          ...(description === null ? [] : [['description', wording(description)] as const]),
        ]),
    )
    return [new Map<string, Json>([['type', 'choice'], ...shared, ['choices', choices]])]
  }
  if (type === 'score' && isArray(criteria)) {
    const levels = criteria.map(level => new Map<string, Json>([['label', wording(level)]]))
    return [new Map<string, Json>([['type', 'score'], ...shared, ['levels', levels]])]
  }
  return [
    new Map<string, Json>([
      ['type', 'predicate'],
      ['name', name],
      ['instructions', statement(question)],
    ]),
  ]
}

/** That shape has no field for what yes and no mean, so the statement says it. */
const statement = (question: JsonObject): string => {
  const sides = objectIn(question, 'criteria')
  const meaning = (['true', 'false'] as const).flatMap(side => {
    const text = wording(sides.get(side) ?? null)
    return text === '' ? [] : [`${side === 'true' ? 'Yes' : 'No'}: ${text}`]
  })
  return [wording(question.get('instructions') ?? null), ...meaning].join('\n')
}

/** Structured wording has no place in this shape: it goes as the JSON text it stands for. */
const wording = (value: Json): string =>
  typeof value === 'string' ? value : value === null ? '' : compact(value)
