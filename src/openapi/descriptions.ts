import type { OpenAPIV3_1 } from 'openapi-types'

type Schemas = Readonly<Record<string, object>>
type Properties = Record<string, object>

/** Adds the words below to the schemas, field by field. */
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
  'What to decide, in at most 16,381 tokens. Point at a nested field of the state in backquotes: `ticket.messages[0].text`.'
const PROBABILITIES = 'One per option, summing to 1.'
const LOGITS = 'Raw log-scores; their softmax is `probabilities`.'
const CONFIDENCE = '0 for an even split, 1 when all mass is on one option.'
const METADATA = 'What the service knows of its own certainty.'
const SNAPSHOT = 'The snapshot that evaluated the request, whatever alias was sent.'
const WARNINGS = 'Only when top-level fields were ignored.'
const LATENCY = 'Milliseconds of evaluation.'

const CHOICE = {
  instructions: INSTRUCTIONS,
  criteria: 'From option to description; null where the name says enough.',
}

export const FIELDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  DecisionRequest: {
    state:
      'The content to evaluate, at most 65,536 tokens. The same again within 5 minutes of being read comes from the cache; a beginning that two states share does not.',
    questions:
      'From an id of yours to a question. Ids come back in `answers` and are not shown to the model.',
    model: 'An alias or a snapshot id.',
    calibration: 'A profile from `POST /v1/calibrations`; it scales probabilities and decides `abstain`.',
    order_invariant:
      'Score every choice a second time with its options reversed, and average. Billed as two passes.',
  },
  ChoiceQuestion: CHOICE,
  NoulQuestion: {
    instructions:
      'The statement to judge, in at most 16,381 tokens, phrased so that a value near 1 means yes.',
    criteria: 'What counts as yes, and what as no.',
  },
  ScoreQuestion: { instructions: INSTRUCTIONS, criteria: 'Level descriptions, lowest first.' },
  DecisionResponse: {
    id: 'Names this decision.',
    model: SNAPSHOT,
    answers: 'Under the ids of `questions`, in their order.',
    latency_ms: LATENCY,
    warnings: WARNINGS,
  },
  ChoiceAnswer: {
    choice: 'The most probable option; the first of equals.',
    probabilities: PROBABILITIES,
    logits: LOGITS,
    confidence: CONFIDENCE,
    decider: METADATA,
  },
  NoulAnswer: {
    noul: 'The probability of yes.',
    probabilities: 'Of `false` and `true`.',
    logits: LOGITS,
    decider: METADATA,
  },
  ScoreAnswer: {
    score: 'The expected level: the sum over levels of index times probability.',
    legend: 'From level index to the description that was sent.',
    probabilities: 'From level index to probability, summing to 1.',
    logits: LOGITS,
    confidence: 'Falls with the distance of the mass from the most likely level.',
    decider: METADATA,
  },
  AnswerMetadata: {
    calibrated: 'Whether the profile knew this question.',
    p_top: 'The highest probability.',
    abstain: 'Whether `p_top` is below the profile’s cutoff; null where `calibrated` is false.',
    confidence_winning: 'The same as `p_top`.',
    confidence_normalized: CONFIDENCE,
  },
  Usage: {
    input_tokens: 'All that is billed: state, questions, framing and images.',
    state_tokens: 'Counted once, however many questions.',
    question_tokens: 'Of all instructions and criteria.',
    framing_tokens: 'Of the markers between them: 4 + 3 a question + 2 an option.',
    image_tokens: 'Always 0.',
    cached_tokens:
      '`state_tokens` when the state came from the cache, which keeps one for 5 minutes at most; else 0.',
    output_tokens: 'Always 0.',
    cost_usd: 'In US dollars, exact to a billionth.',
  },
  CalibrationRequest: {
    examples: 'Labeled examples, held in memory for this request only.',
    model: 'The profile is bound to the snapshot this name resolves to.',
    target_error: 'The highest acceptable error rate among the answers that do not abstain.',
    curves: 'Whether the report is to carry what it takes to draw it.',
  },
  LabeledChoice: { label: 'One of the option keys.' },
  LabeledScore: { label: 'The index of the right level.' },
  CalibrationResponse: {
    profile: 'Pass it as `calibration` with decisions on the same snapshot.',
    n_examples: 'Examples that were scored.',
    questions: 'One report a question signature.',
    note: 'How the figures came about.',
  },
  CalibrationQuestionReport: {
    signature: 'A digest of type, instructions and criteria.',
    status: '`fitted`, or `too_few_examples` below 50 labelled examples.',
    before: 'Raw probabilities, everything answered.',
    after:
      'Out of fold: no example was judged by a fit that saw it. Temperature, cutoff and coverage are those of the profile. Null where nothing was fitted.',
    curves: 'Only when asked for.',
  },
  MetricsAfter: {
    cutoff: 'The lowest confidence that is answered; null where the target cannot be certified.',
    coverage: 'Share of the examples that the profile answers.',
    temperature: 'What logits are divided by.',
    coverage_at_target_error: 'Share of answers kept, out of fold.',
    error_when_covered: 'Their error rate, out of fold; null when nothing is kept.',
  },
  ModelList: {
    alias: 'From alias to the snapshot it means today.',
    data: 'The snapshots that are served.',
    today: 'The date of this answer.',
    models: 'The same models, as System One’s SDKs read them.',
  },
  ModelEntry: {
    released: 'When it was released.',
    base: 'The family it belongs to.',
    max_state_tokens: 'The longest state it evaluates.',
    modalities: 'What it reads.',
    retire_after: 'The last day it is served; null while none is planned.',
  },
  Account: {
    balance_usd: 'What is settled: usage of the last minute or two is not in it yet.',
    balance_nanodollars: 'The same as an integer: credits less charges.',
    auto_reload:
      'Null while it is off. It waits until it `can_pay`: until a payment on a payment page has left a card that can be charged.',
    live_keys: 'Keys that are neither revoked nor expired.',
    key: 'The key of this request.',
    recent_credits: 'Newest first.',
  },
  ApiKey: {
    hint: 'Its first characters.',
    limits: 'What holds for it.',
    reserved: 'Capacity bought for it; null leaves the kind’s own limit.',
  },
  Credit: { amount_usd: 'Every digit of it; negative for what was taken away.' },
  AccountUsage: { data: 'Today first, every day present, in UTC.' },
  AccountDay: {
    latency_ms: 'Of requests that were answered; null where there were none.',
    errors: 'How often each code.',
  },
  ActivityList: { next_cursor: 'Pass it as `cursor` for what comes after; null at the end.' },
  ActivityEntry: {
    path: 'The route, never the URL as sent.',
    cost_usd: 'Nothing for what was refused.',
  },
  Health: {
    ok: 'Whether the scorer answers.',
    region: 'Where the service runs.',
    engine: 'What runs the model; `unreachable` where it does not answer.',
  },
  SystemOneRequest: {
    state: 'The content to evaluate.',
    questions: 'From an id of yours to a question.',
    model: 'An alias or a snapshot id; `jev-latest` is one.',
    assets: 'Not served: this service reads text and JSON.',
    x_calibration: 'As `calibration` of our own API.',
    x_order_invariant: 'As `order_invariant` of our own API.',
  },
  SystemOneChoiceQuestion: CHOICE,
  SystemOneResponse: { model: SNAPSHOT, x_latency_ms: LATENCY, x_warnings: WARNINGS },
  SystemOneChoiceAnswer: {
    probabilities: PROBABILITIES,
    confidence: CONFIDENCE,
    x_logits: LOGITS,
    x_decider: METADATA,
  },
  SystemOneNoulAnswer: { noul: 'The probability of yes.', x_logits: LOGITS, x_decider: METADATA },
  SystemOneScoreAnswer: { probabilities: PROBABILITIES, x_logits: LOGITS, x_decider: METADATA },
  OpenAIDecisionRequest: {
    model: 'An alias or a snapshot id.',
    input: 'A text, or messages, tool calls and their outputs in order.',
    questions: '1 to 128 questions; answers come in their order.',
    prompt_cache_key: 'Accepted, of no effect.',
    prompt_cache_options: 'Accepted, of no effect.',
    safety_identifier: 'Accepted, of no effect.',
  },
  OpenAIDecision: { answers: 'In question order.', model: SNAPSHOT, warnings: WARNINGS },
}

/** Of `GET /v1/account/activity`. */
export const PARAMETERS: Readonly<Record<string, string>> = {
  limit: 'How many, 1 to 200.',
  cursor: 'The `next_cursor` of an earlier page.',
  from: 'Not before this day or time.',
  until: 'Before this day or time.',
  key_id: 'Of this key alone.',
  path: 'Of this route alone.',
  status: 'A status such as `429`, or a class such as `4xx`.',
  error_code: 'With this code alone.',
}
