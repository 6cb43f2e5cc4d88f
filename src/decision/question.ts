import * as v from 'valibot'
import { MAX_LEVELS, MAX_OPTIONS, MIN_LEVELS } from '../../scorer/limits.ts'
import { isArray, isObject, type JsonArray, type JsonObject } from '../json/json.ts'

// Objects whose keys the caller chooses are Maps. Objects of known fields are plain, and the code that makes them
// plain refuses unknown names. Every rule has a message of ours, because the library's own would quote what was sent.

export type Content = string | JsonObject | JsonArray
export const isContent = (value: unknown): value is Content =>
  typeof value === 'string' || isObject(value) || isArray(value)

/** JSON Schema of any object. Without the second word, generators of clients allow no fields. */
export const ANY_OBJECT = { type: 'object', additionalProperties: true }

/** JSON Schema of the content below. Generators of clients misread a schema of several types. */
export const ANY_CONTENT = [{ type: 'string' }, ANY_OBJECT, { type: 'array', items: {} }]

/** Content for the model, carried as it came and never inspected. */
export const Description: v.GenericSchema<unknown, Content> = v.pipe(
  v.custom<Content>(isContent, 'must be a string, an object or an array'),
  v.metadata({ anyOf: ANY_CONTENT }),
)

const optional = v.nullish(Description, null)
const TYPES = 'one of choice, noul (yes or no), score'
export const ONE_OF_TYPES = `must be ${TYPES}`
export const REQUIRED = 'is required'
export const TYPE_REQUIRED = `${REQUIRED}; it is ${TYPES}`
export const QUESTION_BY_ID =
  'must be a question, an object: questions maps an id of your choice to each question'

/** The rule of a field, or that the field is required. */
export const required = (rule: string) => (issue: v.BaseIssue<unknown>) =>
  issue.received === 'undefined' ? REQUIRED : rule

const Keyed = v.map(
  v.string(),
  v.nullable(Description),
  'must be an object from option key to description (string, object, array or null)',
)
const Options = v.pipe(
  {
    ...Keyed,
    // Checks the descriptions and returns the Map that was sent: in a Map of the library's own, keys of digits could
    // be made to collide.
    '~run': (dataset, config) => {
      const sent = dataset.value
      if (!(sent instanceof Map)) return Keyed['~run'](dataset, config)
      const descriptions = new Map([...sent.values()].map((description, at) => [String(at), description]))
      const read = Keyed['~run']({ typed: false, value: descriptions }, config)
      return read.typed ? { ...read, value: sent } : read
    },
  } satisfies typeof Keyed,
  v.minSize(1, 'must hold at least one option'),
  v.maxSize(MAX_OPTIONS, `must hold at most ${MAX_OPTIONS} options`),
)

/** For a value that may be long: it could have a million faults, and each would be kept until all are found. */
const FIRST_FAULT = { abortEarly: true }

export const ChoiceQuestion = v.strictObject(
  {
    type: v.literal('choice', ONE_OF_TYPES),
    instructions: optional,
    criteria: v.config(Options, FIRST_FAULT),
  },
  REQUIRED,
)

const Sides = v.strictObject({ true: optional, false: optional }, 'must be null or an object of descriptions')

export const NoulQuestion = v.strictObject(
  { type: v.literal('noul', ONE_OF_TYPES), instructions: optional, criteria: v.nullish(Sides, {}) },
  REQUIRED,
)

const Levels = v.pipe(
  v.array(Description, 'must be an array of level descriptions, lowest first'),
  v.minLength(MIN_LEVELS, `must hold at least ${MIN_LEVELS} levels`),
  v.maxLength(MAX_LEVELS, `must hold at most ${MAX_LEVELS} levels`),
)

export const ScoreQuestion = v.strictObject(
  {
    type: v.literal('score', ONE_OF_TYPES),
    instructions: optional,
    criteria: v.config(Levels, FIRST_FAULT),
  },
  REQUIRED,
)

/** `null` stands for absent instructions or an absent description. */
export const Question = v.variant('type', [ChoiceQuestion, NoulQuestion, ScoreQuestion], ONE_OF_TYPES)

export type ChoiceQuestion = v.InferOutput<typeof ChoiceQuestion>
export type NoulQuestion = v.InferOutput<typeof NoulQuestion>
export type ScoreQuestion = v.InferOutput<typeof ScoreQuestion>
export type Question = v.InferOutput<typeof Question>
