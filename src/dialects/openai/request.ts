// A request of OpenAI's Decisions API, as its SDK types it (openai 7.59, resources/decisions.d.ts).
import * as v from 'valibot'
import { MAX_LEVELS, MAX_QUESTIONS, MIN_LEVELS } from '../../../scorer/limits.ts'
import { ANY_OBJECT, required } from '../../decision/question.ts'
import { isArray, isObject, type JsonArray, type JsonObject } from '../../json/json.ts'

const MIN_CHOICES = 2
export const MAX_CHOICES = 255

/** Why a strict object was refused: an unknown key, a missing key, or not an object at all. */
const fields =
  (unknown: string, notAnObject = 'must be an object') =>
  (issue: v.StrictObjectIssue) =>
    issue.expected === 'never' ? unknown : required(notAnObject)(issue)
const onlyFields = (of: string, names: string) =>
  fields(`is not a field of ${of}; those are ${names}`, `must be an object of ${names}`)

/** Other fields are dropped: ids, phases, cache breakpoints. */
const known = <const Entries extends v.ObjectEntries>(entries: Entries) =>
  v.object(entries, required('must be an object'))

const text = v.string(required('must be a string'))
const optionalText = v.nullish(v.string('must be a string'))

/** Types refused by name because this service cannot read them; any other unknown type gets the list of known ones. */
const UNREADABLE = ['input_image', 'input_file', 'input_audio']
const partType = (known: string) => (issue: v.VariantIssue) => {
  const unreadable = UNREADABLE.find(type => issue.received === `"${type}"`)
  return unreadable === undefined
    ? required(`must be one of ${known}`)(issue)
    : `must not be ${unreadable}: this service reads text and JSON, but no images, files or audio`
}

const InputText = known({ type: v.literal('input_text'), text })
const InputJson = known({
  type: v.literal('input_json'),
  data: v.pipe(
    v.custom<JsonObject | JsonArray>(
      value => isObject(value) || (isArray(value) && value.every(isObject)),
      'must be an object or an array of objects',
    ),
    v.metadata({ anyOf: [ANY_OBJECT, { type: 'array', items: ANY_OBJECT }] }),
  ),
})
const OutputText = known({ type: v.literal('output_text'), text })
const Refusal = known({ type: v.literal('refusal'), refusal: text })

const InputPart = v.variant('type', [InputText, InputJson], partType('input_text, input_json'))
const TextPart = v.variant('type', [InputText], partType('input_text'))
const OutputPart = v.variant('type', [OutputText, Refusal], partType('output_text, refusal'))
export type Part = v.InferOutput<typeof InputPart> | v.InferOutput<typeof OutputPart>

const textOr = <Item extends v.GenericSchema>(part: Item) =>
  v.union([v.string(), v.array(part)], required('must be a string or an array of parts'))

const message = <const Role extends string, Item extends v.GenericSchema>(role: Role, part: Item) =>
  known({
    type: v.optional(v.literal('message'), 'message'),
    role: v.literal(role),
    content: textOr(part),
  })

const ROLES = 'must be one of user, developer, system, assistant'
const UserMessage = message('user', InputPart)
const DeveloperMessage = message('developer', TextPart)
const SystemMessage = message('system', TextPart)
const AssistantMessage = message('assistant', OutputPart)
const Message = v.variant(
  'role',
  [UserMessage, DeveloperMessage, SystemMessage, AssistantMessage],
  required(ROLES),
)

const call = { call_id: text, name: text, namespace: optionalText }
const output = { call_id: text, output: textOr(TextPart) }
const ITEMS =
  'must be one of message, function_call, function_call_output, custom_tool_call, custom_tool_call_output'
const FunctionCall = known({ type: v.literal('function_call'), ...call, arguments: text })
const FunctionCallOutput = known({ type: v.literal('function_call_output'), ...output })
const CustomToolCall = known({ type: v.literal('custom_tool_call'), ...call, input: text })
const CustomToolCallOutput = known({ type: v.literal('custom_tool_call_output'), ...output })
const InputItem = v.variant(
  'type',
  [Message, FunctionCall, FunctionCallOutput, CustomToolCall, CustomToolCallOutput],
  // An unknown role is an issue of the variant around the messages.
  issue => required(issue.path?.at(-1)?.key === 'role' ? ROLES : ITEMS)(issue),
)
export type InputItem = v.InferOutput<typeof InputItem>

const Input = v.union(
  [v.string(), v.pipe(v.array(InputItem), v.minLength(1, 'must not be empty'))],
  required('must be a string or an array of messages, tool calls and tool outputs'),
)
export type Input = v.InferOutput<typeof Input>

const question = { name: optionalText, instructions: textOr(InputPart) }
const QUESTION = fields('is not a field of this type of question')

const Option = v.strictObject(
  {
    value: v.union([v.string(), v.boolean()], required('must be a string or a boolean')),
    description: optionalText,
  },
  onlyFields('a choice', 'value and description'),
)
const Level = v.strictObject(
  { label: text, description: optionalText },
  onlyFields('a level', 'label and description'),
)

const Predicate = v.strictObject({ type: v.literal('predicate'), ...question }, QUESTION)
const Choice = v.strictObject(
  {
    type: v.literal('choice'),
    ...question,
    choices: v.pipe(
      v.array(Option, required('must be an array of choices')),
      v.minLength(MIN_CHOICES, `must hold at least ${MIN_CHOICES} choices`),
      v.maxLength(MAX_CHOICES),
    ),
  },
  QUESTION,
)
const Score = v.strictObject(
  {
    type: v.literal('score'),
    ...question,
    levels: v.pipe(
      v.array(Level, required('must be an array of levels, lowest first')),
      v.minLength(MIN_LEVELS, `must hold at least ${MIN_LEVELS} levels`),
      v.maxLength(MAX_LEVELS, `must hold at most ${MAX_LEVELS} levels`),
    ),
  },
  QUESTION,
)
export type Choice = v.InferOutput<typeof Choice>

export const OpenAIQuestion = v.variant(
  'type',
  [Predicate, Choice, Score],
  required('must be one of predicate, choice, score'),
)
export type OpenAIQuestion = v.InferOutput<typeof OpenAIQuestion>

/** Accepted without effect: these control caches and audits that this service does not have. */
const ignored = v.optional(v.unknown())

export const OpenAIDecisionBody = v.object({
  model: optionalText,
  input: Input,
  questions: v.pipe(
    v.array(OpenAIQuestion, required('must be an array of questions')),
    v.minLength(1),
    v.maxLength(MAX_QUESTIONS),
  ),
  prompt_cache_key: ignored,
  prompt_cache_options: ignored,
  safety_identifier: ignored,
})

/** The parts of a request, each with the name it has in the API's document: clients are generated from named schemas. */
export const OPENAI_PARTS = {
  OpenAIQuestion,
  OpenAIPredicateQuestion: Predicate,
  OpenAIChoiceQuestion: Choice,
  OpenAIScoreQuestion: Score,
  OpenAIOption: Option,
  OpenAILevel: Level,
  OpenAIInputItem: InputItem,
  OpenAIUserMessage: UserMessage,
  OpenAIDeveloperMessage: DeveloperMessage,
  OpenAISystemMessage: SystemMessage,
  OpenAIAssistantMessage: AssistantMessage,
  OpenAIFunctionCall: FunctionCall,
  OpenAIFunctionCallOutput: FunctionCallOutput,
  OpenAICustomToolCall: CustomToolCall,
  OpenAICustomToolCallOutput: CustomToolCallOutput,
  OpenAIInputText: InputText,
  OpenAIInputJson: InputJson,
  OpenAIOutputText: OutputText,
  OpenAIRefusal: Refusal,
}
