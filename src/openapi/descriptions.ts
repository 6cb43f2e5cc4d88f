import type { OpenAPIV3_1 } from 'openapi-types'
import { MAX_QUESTIONS } from '../../scorer/limits.ts'
import { DEFAULT_TARGET_ERROR } from '../calibration/limits.ts'
import { DEFAULT_MODEL } from '../decision/request.ts'

type Schemas = Readonly<Record<string, object>>
type Properties = Record<string, object>

/** Adds the descriptions below to the schemas, field by field. */
export const describeFields = (schemas: Schemas): Record<string, OpenAPIV3_1.SchemaObject> =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const words = FIELDS[name] ?? {}
      const properties = (schema as { properties?: Properties }).properties
      if (properties === undefined) return [name, schema]
      const described = Object.entries(properties).map(([field, property]) => [
        field,
        words[field] === undefined ? property : { ...property, description: words[field] },
      ])
      return [name, { ...schema, properties: Object.fromEntries(described) }]
    }),
  )

const INSTRUCTIONS =
  'What to decide, in at most 16,381 tokens. Refer to a nested field of the state by its path in backticks: `ticket.messages[0].text`.'
const PROBABILITIES = 'One per option, summing to 1.'
const LOGITS =
  'One per option; their softmax is `probabilities`. A profile’s offsets and temperature are already applied.'
const CONFIDENCE =
  '(p − 1/k) / (1 − 1/k) for the highest probability p of k options: 0 for an even split, 1 when all mass is on one option.'
const SCORE =
  'The expected level: the sum over levels of index times probability. Rounded, it need not be the most probable level.'
const SCORE_CONFIDENCE =
  'max(0, 1 − d/e), where d is the mean distance from the most likely level and e the mean distance of an even split from its middle.'
const METADATA = 'How certain this answer is.'
const SNAPSHOT = 'The snapshot that evaluated the request, even if an alias was sent.'
const WARNINGS = 'Present only if top-level fields were ignored.'
const LATENCY = 'Evaluation time in milliseconds.'

const METRICS = {
  accuracy: 'Share of examples whose most probable option is the label.',
  ece: 'Expected calibration error: by how much confidence and accuracy differ, averaged over bins of equally many answers.',
  brier:
    'Brier score: the squared distance of the probabilities from the label, summed over the options. Lower is better.',
  nll: 'Log loss: the mean of minus the logarithm of the label’s probability. Lower is better.',
  mean_confidence: 'The mean of the highest probabilities.',
  coverage: 'Share of the examples that are answered.',
  cutoff: 'Null: without a profile everything is answered.',
  n: 'The number of labelled examples.',
}

const MODEL = `An alias or a snapshot id; \`${DEFAULT_MODEL}\` if it is left out.`

const CHOICE = {
  instructions: INSTRUCTIONS,
  criteria: 'Maps each option key to its description, or to null if the key says enough.',
}

export const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  DecisionRequest: {
    state:
      'The content to evaluate: text or any other JSON except null, at most 65,536 tokens. The same state sent again within 5 minutes of being read comes from the cache; a beginning that two states share does not.',
    questions:
      'Maps an id of your choice to each question. Ids come back in `answers` and are not shown to the model.',
    model: MODEL,
    calibration:
      'A profile from `POST /v1/calibrations`. It calibrates probabilities and decides `abstain`; if it holds offsets, it may change which option wins.',
    order_invariant:
      'If true, scores every choice of more than one option a second time with its options reversed and averages the two. The second pass is billed too, but the state only once. False if it is left out.',
  },
  ChoiceQuestion: CHOICE,
  NoulQuestion: {
    instructions:
      'The statement to judge, in at most 16,381 tokens, phrased so that a value near 1 means yes.',
    criteria: 'What counts as yes and what counts as no.',
  },
  ScoreQuestion: { instructions: INSTRUCTIONS, criteria: 'Level descriptions, lowest first.' },
  DecisionResponse: {
    id: 'Identifies this decision.',
    model: SNAPSHOT,
    answers: 'Maps each id in `questions` to its answer, in the same order.',
    latency_ms: LATENCY,
    warnings: WARNINGS,
  },
  ChoiceAnswer: {
    choice: 'The most probable option; in a tie, the first.',
    probabilities: PROBABILITIES,
    logits: LOGITS,
    confidence: CONFIDENCE,
    decider: METADATA,
  },
  NoulAnswer: {
    noul: 'The probability of yes.',
    probabilities: 'The probabilities of `false` and `true`.',
    logits: LOGITS,
    decider: METADATA,
  },
  ScoreAnswer: {
    score: SCORE,
    legend: 'Maps each level index to the description that was sent.',
    probabilities: 'Maps each level index to its probability, summing to 1.',
    logits: LOGITS,
    confidence: SCORE_CONFIDENCE,
    decider: METADATA,
  },
  AnswerMetadata: {
    calibrated: 'Whether a profile was sent that knows this question.',
    p_top: 'The highest probability.',
    abstain:
      'Whether `p_top` is below the profile’s cutoff, or the profile has none for this question because the target could not be certified; null if `calibrated` is false. Let an answer through only if it is false: null promises nothing. False vouches for the most probable option and nothing else: for `choice`; for the level with the highest probability, not for `score` rounded; for yes if `noul` is at least 0.5 and for no if it is less, not for a threshold of your own.',
    confidence_winning: 'The same as `p_top`.',
    confidence_normalized: CONFIDENCE,
  },
  Usage: {
    input_tokens: 'All billed tokens: state, questions, framing and images.',
    state_tokens: 'Tokens of the state, counted once however many questions there are.',
    question_tokens:
      'Tokens of all instructions and criteria, with the colon between an option and its description.',
    framing_tokens: 'Tokens of the markers between them: 4, plus 3 per question, plus 2 per option.',
    image_tokens: 'Always 0.',
    cached_tokens:
      'Equal to `state_tokens` if the state came from the cache, which keeps a state for at most 5 minutes; otherwise 0.',
    output_tokens: 'Always 0.',
    cost_usd: 'In US dollars, exact to a billionth.',
  },
  CalibrationRequest: {
    examples: 'Labelled examples, held in memory for this request only.',
    model: `${MODEL} The profile is bound to the snapshot that this name means now.`,
    target_error: `The highest acceptable error rate among the answers that do not abstain; ${DEFAULT_TARGET_ERROR} if it is left out.`,
    offsets:
      'Whether to fit, besides the temperature, an offset for each option: a number that is added to its logit. Offsets correct a model that leans towards some options. Unlike a temperature, they may change which option wins. False if it is left out.',
    curves: 'Whether to include the data for drawing the report. False if it is left out.',
  },
  LabeledChoice: { label: 'One of the option keys.' },
  LabeledScore: { label: 'The index of the right level.' },
  CalibrationResponse: {
    profile: 'The profile. Pass it as `calibration` with decisions on the same snapshot.',
    n_examples: 'The number of examples scored.',
    questions: 'One report per question signature.',
    note: 'How the figures were computed.',
    warnings: 'Present only if top-level fields were ignored, or labels or answers look wrong.',
  },
  CalibrationQuestionReport: {
    signature: 'A digest of the question’s type, instructions and criteria.',
    status: '`fitted`, or `too_few_examples` if fewer than 50 examples label the question.',
    before: 'Figures of the raw probabilities, with everything answered.',
    after:
      'Out-of-fold figures: no example is judged by a fit that saw it. Temperature, offsets, cutoff and coverage are those of the profile. Null if nothing was fitted.',
    curves: 'Present only if requested.',
  },
  Metrics: METRICS,
  MetricsAfter: {
    ...METRICS,
    cutoff: 'The lowest confidence that is answered; null if the target cannot be certified.',
    coverage: 'Share of the examples that the profile answers.',
    temperature: 'The number that logits are divided by.',
    offsets:
      'Maps each option to the number that is added to its logit before the division. Present only if requested.',
    coverage_at_target_error: 'Share of answers that do not abstain, out of fold.',
    error_when_covered: 'The error rate of those answers, out of fold; null if there are none.',
  },
  ModelList: {
    alias: 'Maps each alias to its current snapshot.',
    data: 'The snapshots that are served.',
    today: 'The date of this answer.',
    models: 'The same models, as System One’s SDKs read them.',
  },
  ModelEntry: {
    released: 'The release date.',
    base: 'The model family.',
    max_state_tokens: 'The longest state it evaluates.',
    modalities: 'The kinds of input it reads.',
    retire_after: 'The last day it is served; null while no retirement is planned.',
  },
  Account: {
    balance_usd: 'The balance, which does not yet include usage of the last minute or two.',
    balance_nanodollars: 'The same as an integer: credits minus charges.',
    auto_reload:
      'Null while auto-reload is off. It waits until `can_pay` is true: until a payment on a payment page has left a card that can be charged. `last_outcome` is what was heard of the last payment that it asked for: one that is `unknown`, `pending` or `given_up` may still be credited.',
    live_keys: 'Keys that are neither revoked nor expired.',
    key: 'The key that sent this request.',
    recent_credits: 'The last 20, newest first.',
  },
  ApiKey: {
    hint: 'The first characters of the key.',
    limits: 'The limits in force for this key.',
    reserved: 'Capacity bought for this key; null leaves the limit of its kind.',
  },
  Credit: { amount_usd: 'The exact amount; negative if it was taken from the balance.' },
  AccountUsage: { data: 'One entry per day in UTC, with no day missing, today first.' },
  AccountDay: {
    latency_ms: 'Latency of the decisions that were answered; null if there were none.',
    errors: 'How often each error code occurred.',
  },
  ActivityList: { next_cursor: 'Pass it as `cursor` to get the next page; null on the last page.' },
  ActivityEntry: {
    path: 'The route, never the URL that was sent.',
    cost_usd: 'Zero for refused requests.',
  },
  Health: {
    ok: 'Whether the scorer answers.',
    region: 'Always `us`, wherever the service is deployed.',
    engine: 'What runs the model; `draining` while it is being stopped, `unreachable` if it does not answer.',
  },
  SystemOneRequest: {
    state: 'The content to evaluate: text, an object or an array.',
    questions: 'Maps an id of your choice to each question.',
    model: `An alias, such as \`jev-latest\`, or a snapshot id; \`${DEFAULT_MODEL}\` if it is left out.`,
    assets: 'Not supported: this service reads text and JSON.',
    x_calibration: 'The same as `calibration` in this service’s own API.',
    x_order_invariant: 'The same as `order_invariant` in this service’s own API.',
  },
  SystemOneChoiceQuestion: CHOICE,
  SystemOneResponse: { model: SNAPSHOT, x_latency_ms: LATENCY, x_warnings: WARNINGS },
  ErrorEnvelope: {
    error:
      '`code` says what is wrong, `message` how to put it right, and `param` which field or header it is: a dotted path, or `body`.',
  },
  SystemOneValidationError: {
    detail:
      'One entry per fault, up to 20, and a last one that counts the rest. `type` is `missing` for a field that was left out, and otherwise the code. `loc` leads to the field step by step; it ends at `body` if the body as a whole is at fault.',
  },
  SystemOneError: {
    detail:
      '`x_code` is this service’s code. `error_type` is System One’s own word: `max_tokens_exceeded` for `state_too_long`, `api_usage_error` for other faults of a request.',
  },
  OpenAIError: {
    error:
      '`code` says what is wrong, `message` how to put it right, and `param` which field it is, as in `questions[0].choices`; null if it is none.',
  },
  SystemOneChoiceAnswer: {
    probabilities: PROBABILITIES,
    confidence: CONFIDENCE,
    x_logits: LOGITS,
    x_decider: METADATA,
  },
  SystemOneNoulAnswer: { noul: 'The probability of yes.', x_logits: LOGITS, x_decider: METADATA },
  SystemOneScoreAnswer: {
    score: SCORE,
    probabilities: PROBABILITIES,
    confidence: SCORE_CONFIDENCE,
    x_logits: LOGITS,
    x_decider: METADATA,
  },
  OpenAIDecisionRequest: {
    model: MODEL,
    input: 'A text, or messages, tool calls and tool outputs in order.',
    questions: `1 to ${MAX_QUESTIONS} questions. Answers come in the same order.`,
    prompt_cache_key: 'Accepted, but has no effect.',
    prompt_cache_options: 'Accepted, but has no effect.',
    safety_identifier: 'Accepted, but has no effect.',
  },
  OpenAIChoiceAnswer: { confidence: CONFIDENCE },
  OpenAIScoreAnswer: { score: SCORE, confidence: SCORE_CONFIDENCE },
  OpenAIDecision: { answers: 'In question order.', model: SNAPSHOT, warnings: WARNINGS },
}

/** The query parameters of `GET /v1/account/activity`. */
export const PARAMETERS: Readonly<Record<string, string>> = {
  limit: 'How many requests to list.',
  cursor: 'The `next_cursor` of an earlier page, to continue after it.',
  from: 'Only requests at or after this day or time.',
  until: 'Only requests before this day or time.',
  request_id: 'Only the request with this id, which its answer carries in `Decider-Request-Id`.',
  key_id: 'Only requests with this key.',
  path: 'Only requests to this route.',
  status: 'Only requests with this status, such as `429`, or class, such as `4xx`.',
  error_code: 'Only requests with this error code.',
}
