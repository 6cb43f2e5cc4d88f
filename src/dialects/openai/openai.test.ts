import type { DecisionCreateParams } from 'openai/resources/decisions'
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../../test/cpu-time.ts'
import type { Answer, AnswerMetadata, Decision } from '../../decision/decision.ts'
import { Misfit } from '../../decision/misfit.ts'
import type { Json } from '../../json/json.ts'
import { KeyedByCaller } from '../../json/keyed-by-caller.ts'
import { compact } from '../../json/writer.ts'
import { Problem, type ProblemCode } from '../../problem.ts'
import { jsonIn, jsonOf } from '../../testing/json.ts'
import { problemOf } from '../../testing/problem.ts'
import { openai } from './openai.ts'

type Item = DecisionCreateParams['input'][number]
type Question = DecisionCreateParams['questions'][number]

const predicate: Question = { type: 'predicate', instructions: 'Is it urgent?' }
const body = (change: Partial<Record<keyof DecisionCreateParams, unknown>> = {}): Json =>
  jsonOf({ model: 'decider-1', input: 'Help!', questions: [predicate], ...change })
const request = (change: Partial<DecisionCreateParams>) => openai.read(body(change)).request
const stateOf = (...input: unknown[]): unknown =>
  JSON.parse(compact(request({ input: input as Exclude<DecisionCreateParams['input'], string> }).state))
const refused = (sent: Json): unknown => errorOf(problemOf(() => openai.read(sent)))
const errorOf = (problem: Problem): unknown => JSON.parse(compact(openai.refuse(problem).body)).error
const decider: AnswerMetadata = {
  calibrated: false,
  p_top: 0.75,
  abstain: null,
  confidence_winning: 0.75,
  confidence_normalized: 0.5,
}
const decisionOf = (...answers: Answer[]): Decision => ({
  id: 'dec_1',
  model: 'decider-preview-2026-10-13',
  answers: new Map(answers.map((answer, index) => [String(index), answer])),
  usage: {
    input_tokens: 120,
    state_tokens: 100,
    question_tokens: 10,
    framing_tokens: 10,
    image_tokens: 0,
    cached_tokens: 100,
    output_tokens: 0,
    cost_usd: 0.000004,
  },
  latencyMs: 12,
  warnings: [],
})
const answered = (questions: unknown[], ...answers: Answer[]): unknown =>
  JSON.parse(compact(openai.read(body({ questions })).write(decisionOf(...answers))))
const optionsOf = (...values: (string | boolean)[]): unknown => {
  const choices = values.map(value => ({ value }))
  const { questions } = request({ questions: [{ type: 'choice', instructions: 'Which?', choices }] })
  const [question] = questions.values()
  return question?.type === 'choice' ? [...question.criteria.keys()] : question
}

describe('input as the OpenAI SDK types it', () => {
  it('is the state itself when it is a string', () => {
    expect(request({ input: ' Help!\n' }).state).toBe(' Help!\n')
  })

  it('keeps messages of every role in their order, their parts unwrapped', () => {
    expect(
      stateOf(
        { role: 'system', content: 'Be strict.' },
        { role: 'developer', content: [{ type: 'input_text', text: 'Refunds: 30 days.' }] },
        {
          type: 'message',
          role: 'user',
          content: [
            { type: 'input_text', text: 'My order:', prompt_cache_breakpoint: { mode: 'explicit' } },
            { type: 'input_json', data: { id: 7, items: [] } },
            { type: 'input_json', data: [{ id: 8 }] },
          ],
        },
        {
          role: 'assistant',
          phase: 'final_answer',
          content: [
            { type: 'output_text', text: 'Sorry.' },
            { type: 'refusal', refusal: 'I cannot.' },
          ],
        },
      ),
    ).toEqual([
      { role: 'system', content: 'Be strict.' },
      { role: 'developer', content: 'Refunds: 30 days.' },
      { role: 'user', content: ['My order:', { id: 7, items: [] }, [{ id: 8 }]] },
      { role: 'assistant', content: ['Sorry.', { refusal: 'I cannot.' }] },
    ])
  })

  it('keeps the order of keys and the digits of numbers in JSON parts', () => {
    const data = '{"10":1,"2":12345678901234567890,"__proto__":{"data":[1.0]}}'
    const input = `[{"role":"user","content":[{"type":"input_json","data":${data}}]}]`
    const { state } = openai.read(
      jsonIn(`{"model":"m","input":${input},"questions":[{"type":"predicate","instructions":"?"}]}`),
    ).request
    expect(compact(state)).toBe(`[{"role":"user","content":${data}}]`)
  })

  it('keeps tool calls and their outputs, without meaningless ids and statuses', () => {
    const called: Item = {
      type: 'function_call',
      id: 'fc_1',
      status: 'completed',
      call_id: 'c1',
      name: 'lookup',
      namespace: 'crm',
      arguments: '{"id":7}',
    }
    expect(
      stateOf(
        called,
        {
          type: 'function_call_output',
          call_id: 'c1',
          output: [{ type: 'input_text', text: 'paid' }],
          status: null,
        },
        { type: 'custom_tool_call', call_id: 'c2', name: 'grep', namespace: null, input: 'refund' },
        { type: 'custom_tool_call_output', call_id: 'c2', output: 'none' },
      ),
    ).toEqual([
      { type: 'function_call', call_id: 'c1', name: 'lookup', namespace: 'crm', arguments: '{"id":7}' },
      { type: 'function_call_output', call_id: 'c1', output: 'paid' },
      { type: 'custom_tool_call', call_id: 'c2', name: 'grep', input: 'refund' },
      { type: 'custom_tool_call_output', call_id: 'c2', output: 'none' },
    ])
  })

  it.each([
    ['whose id no earlier call has', { type: 'function_call_output', call_id: 'c9', output: 'x' }],
    ['whose kind is not that of its call', { type: 'custom_tool_call_output', call_id: 'c1', output: 'x' }],
  ])('refuses an output %s', (_, output) => {
    const call = { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' }
    expect(refused(body({ input: [call, output] }))).toMatchObject({
      code: 'invalid_schema',
      param: 'input[1].call_id',
    })
  })

  it.each(['input_image', 'input_file', 'input_audio'])('refuses %s by name', type => {
    const content = [
      { type: 'input_text', text: 'Look:' },
      { type, image_url: 'https://example.com/SECRET.png' },
    ]
    const refusal = refused(body({ input: [{ role: 'user', content }] }))
    expect(refusal).toMatchObject({ code: 'invalid_schema', param: 'input[0].content[1].type' })
    expect(refusal).toHaveProperty('message', expect.stringContaining(`must not be ${type}`))
    expect(JSON.stringify(refusal)).not.toContain('SECRET')
  })

  it('names an unknown field of a question, of a long name the beginning, and a name of digits in quotes', () => {
    const named = (name: string) => refused(body({ questions: [{ ...predicate, [name]: 1 }] }))
    expect(named('weight')).toMatchObject({ param: 'questions[0].weight' })
    expect(named('1022')).toMatchObject({ param: 'questions[0]."1022"' })
    expect(named('w'.repeat(100_000))).toMatchObject({ param: `questions[0].${'w'.repeat(1_024)}…` })
  })

  it('drops unknown names quickly, even those so long that V8 hashes only their length', () => {
    const bodies = Array.from({ length: 8 }, (_, sent) => {
      const members = Array.from({ length: 230 }, (_, at) => `"${`${sent}.${at}`.padStart(16_384, 'k')}":1`)
      const questions = JSON.stringify([predicate])
      return jsonIn(`{"input":"Help!","questions":${questions},"prompt_cache_options":{${members}}}`)
    })
    expect(cpuMs(() => bodies.map(one => openai.read(one)))).toBeLessThan(3_000)
  })

  it('refuses an image in a tool output and in instructions too', () => {
    const image = { type: 'input_image', image_url: 'data:' }
    const call = { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' }
    const output = { type: 'function_call_output', call_id: 'c1', output: [image] }
    expect(refused(body({ input: [call, output] }))).toMatchObject({ param: 'input[1].output[0].type' })
    expect(refused(body({ questions: [{ ...predicate, instructions: [image] }] }))).toMatchObject({
      param: 'questions[0].instructions[0].type',
    })
  })
})

describe('questions as the OpenAI SDK types them', () => {
  it('become the three types of the core', () => {
    const questions: Question[] = [
      { type: 'predicate', name: 'urgent', instructions: 'Urgent?' },
      {
        type: 'choice',
        instructions: [{ type: 'input_text', text: 'Team?' }],
        choices: [{ value: 'billing', description: 'payments' }, { value: false }],
      },
      {
        type: 'score',
        instructions: [
          { type: 'input_text', text: 'Anger?' },
          { type: 'input_json', data: { scale: 'felt' } },
        ],
        levels: [{ label: 'calm' }, { label: 'angry', description: 'shouts' }],
      },
    ]
    expect([...request({ questions }).questions.values()]).toEqual([
      { type: 'noul', instructions: 'Urgent?', criteria: { true: null, false: null } },
      {
        type: 'choice',
        instructions: 'Team?',
        criteria: new KeyedByCaller<Json>([
          ['billing', 'payments'],
          ['false', null],
        ]),
      },
      {
        type: 'score',
        instructions: ['Anger?', new Map([['scale', 'felt']])],
        criteria: ['calm', 'angry: shouts'],
      },
    ])
  })

  it('may have null for what is left out', () => {
    const choices = [{ value: 'a', description: null }, { value: 'b' }]
    const levels = [{ label: 'calm', description: null }, { label: 'angry' }]
    const questions = [
      { type: 'predicate', name: null, instructions: '?' },
      { type: 'choice', instructions: '?', choices },
      { type: 'score', instructions: '?', levels },
    ]
    const [, choice, score] = openai.read(body({ model: null, questions })).request.questions.values()
    expect(choice).toMatchObject({
      criteria: new KeyedByCaller([
        ['a', null],
        ['b', null],
      ]),
    })
    expect(score).toMatchObject({ criteria: ['calm', 'angry'] })
  })

  it('distinguish a string from a boolean with the same text', () => {
    expect(optionsOf(true, 'true', 'false', false, '"true"')).toEqual([
      'true',
      '"\\"true\\""',
      'false',
      '"false"',
      '"true"',
    ])
  })

  const JSON_PART = { type: 'input_json', data: {} }
  const OUTPUT = { type: 'function_call_output', call_id: 'c1' }
  it.each<[object, string, ProblemCode?]>([
    [{ questions: [] }, 'questions'],
    [{ questions: { urgent: predicate } }, 'questions'],
    [{ questions: undefined }, 'questions'],
    [{ questions: Array(129).fill(predicate) }, 'questions', 'too_many_questions'],
    [{ input: undefined }, 'input'],
    [{ input: 7 }, 'input'],
    [{ input: [] }, 'input'],
    [{ input: [{ role: 'robot', content: 'x' }] }, 'input[0].role'],
    [{ input: [{ role: 'user' }] }, 'input[0].content'],
    [{ input: [{ type: 'reasoning' }] }, 'input[0].type'],
    [
      { input: [{ role: 'user', content: [{ type: 'input_json', data: [{}, 1] }] }] },
      'input[0].content[0].data',
    ],
    [{ input: [{ role: 'system', content: [JSON_PART] }] }, 'input[0].content[0].type'],
    [{ input: [{ role: 'developer', content: [JSON_PART] }] }, 'input[0].content[0].type'],
    [{ input: [{ ...OUTPUT, output: [JSON_PART] }] }, 'input[0].output[0].type'],
    [{ model: 7 }, 'model'],
    [{ questions: [{ type: 'noul', instructions: '?' }] }, 'questions[0].type'],
    [{ questions: [{ instructions: '?' }] }, 'questions[0].type'],
    [{ questions: [predicate, { type: 'predicate' }] }, 'questions[1].instructions'],
    [{ questions: [{ ...predicate, name: 7 }] }, 'questions[0].name'],
    [{ questions: [{ ...predicate, criteria: {} }] }, 'questions[0].criteria'],
  ])('refuse %j at %s', (change, param, code = 'invalid_schema') => {
    expect(refused(body(change))).toMatchObject({ param, code })
  })

  it('list the known roles if a role is unknown, and the known items if an item is', () => {
    expect(refused(body({ input: [{ role: 'robot', content: 'x' }] }))).toMatchObject({
      message: 'input[0].role must be one of user, developer, system, assistant',
    })
    expect(refused(body({ input: [{ type: 'reasoning' }] }))).toMatchObject({
      message: expect.stringContaining('input[0].type must be one of message, function_call, '),
    })
  })

  it.each([
    [{ role: 'user' }, 'input[0].content'],
    [{ role: 'user', content: [{ type: 'input_text' }] }, 'input[0].content[0].text'],
    [{ role: 'user', content: [{ type: 'input_json' }] }, 'input[0].content[0].data'],
    [{ role: 'assistant', content: [{ type: 'refusal' }] }, 'input[0].content[0].refusal'],
    [{ type: 'function_call', call_id: 'a', name: 'f' }, 'input[0].arguments'],
    [{ type: 'custom_tool_call', call_id: 'a', name: 'f' }, 'input[0].input'],
    [{ type: 'custom_tool_call_output', call_id: 'a' }, 'input[0].output'],
  ])('say of %j that %s is required', (item, param) => {
    expect(refused(body({ input: [item] }))).toMatchObject({ param, message: `${param} is required` })
  })

  const choice = (...choices: unknown[]) => ({ questions: [{ type: 'choice', instructions: '?', choices }] })
  const second = ({ questions }: { questions: unknown[] }) => ({ questions: [predicate, ...questions] })
  it.each<[object, string, ProblemCode?]>([
    [choice({ value: 'a' }), 'questions[0].choices'],
    [second(choice({ value: 'a' }, { value: 'a' })), 'questions[1].choices[1].value'],
    [choice({ value: 'a' }, { value: 7 }), 'questions[0].choices[1].value'],
    [choice({ value: 'a' }, {}), 'questions[0].choices[1].value'],
    [choice({ value: 'a' }, { value: 'b', label: 'B' }), 'questions[0].choices[1].label'],
    [
      second(choice(...[...Array(256).keys()].map(value => ({ value: `${value}` })))),
      'questions[1].choices',
      'too_many_options',
    ],
    [{ questions: [{ type: 'score', instructions: '?', levels: [{ label: 'a' }] }] }, 'questions[0].levels'],
    [
      { questions: [{ type: 'score', instructions: '?', levels: Array(11).fill({ label: 'a' }) }] },
      'questions[0].levels',
    ],
  ])('refuse choices and levels out of bounds: %#', (change, param, code = 'invalid_schema') => {
    expect(refused(body(change))).toMatchObject({ param, code })
  })

  it.each([
    [{ questions: [{ type: 'predicate' }] }, 'questions[0].instructions is required'],
    [{ questions: [{ type: 'choice', instructions: '?' }] }, 'questions[0].choices is required'],
    [choice({ value: 'a' }, {}), 'questions[0].choices[1].value is required'],
    [choice('a', 'b'), 'questions[0].choices[0] must be an object of value and description'],
    [
      { questions: [{ type: 'score', instructions: '?', levels: ['a', 'b'] }] },
      'questions[0].levels[0] must be an object of label and description',
    ],
    [
      { questions: [{ type: 'score', instructions: '?', levels: [{ label: 'a' }, {}] }] },
      'questions[0].levels[1].label is required',
    ],
    [
      choice({ value: 'a', id: 1 }),
      'questions[0].choices[0].id is not a field of a choice; those are value and description',
    ],
  ])('say what is wrong with a question, a choice or a level: %#', (change, message) => {
    expect(refused(body(change))).toMatchObject({ message, param: message.split(' ')[0] })
  })

  it('accept 255 choices and 128 questions', () => {
    const choices = [...Array(255).keys()].map(value => ({ value: `${value}` }))
    const questions = Array<Question>(128).fill({ type: 'choice', instructions: '?', choices })
    expect(request({ questions }).questions.size).toBe(128)
  })

  it('refuse a body that is not an object', () => {
    expect(refused([])).toMatchObject({ code: 'invalid_schema', param: 'body' })
  })

  it('never repeat what was sent', () => {
    const secret = 'SECRET'
    for (const change of [
      { model: [secret] },
      { input: { secret } },
      choice({ value: [secret] }, { value: secret }),
    ]) {
      expect(JSON.stringify(refused(body(change)))).not.toContain(secret)
    }
  })
})

describe('the decision as the OpenAI SDK types it', () => {
  const choiceAnswer: Answer = {
    type: 'choice',
    choice: 'false',
    probabilities: new Map([
      ['false', 0.75],
      ['"false"', 0.25],
    ]),
    logits: new Map(),
    confidence: 0.5,
    decider,
  }

  it('answers in question order, with names, values and labels as they were sent, or null without a name', () => {
    expect(
      answered(
        [
          { ...predicate, name: 'urgent' },
          { type: 'choice', instructions: '?', choices: [{ value: false }, { value: 'false' }] },
          {
            type: 'score',
            name: '',
            instructions: '?',
            levels: [{ label: 'calm' }, { label: 'angry', description: 'x' }],
          },
        ],
        { type: 'noul', noul: 0.9, probabilities: new Map(), logits: new Map(), decider },
        choiceAnswer,
        {
          type: 'score',
          score: 0.25,
          legend: new Map(),
          probabilities: new Map([
            ['0', 0.75],
            ['1', 0.25],
          ]),
          logits: new Map(),
          confidence: 0.4,
          decider,
        },
      ),
    ).toEqual({
      answers: [
        { type: 'predicate', name: 'urgent', probability: 0.9 },
        {
          type: 'choice',
          name: null,
          choice: false,
          confidence: 0.5,
          probabilities: [
            { value: false, probability: 0.75 },
            { value: 'false', probability: 0.25 },
          ],
        },
        {
          type: 'score',
          name: '',
          score: 0.25,
          confidence: 0.4,
          probabilities: [
            { label: 'calm', value: 0, probability: 0.75 },
            { label: 'angry', value: 1, probability: 0.25 },
          ],
        },
      ],
      model: 'decider-preview-2026-10-13',
      usage: {
        input_tokens: 120,
        input_tokens_details: { cached_tokens: 100, cache_write_tokens: 0 },
        output_tokens: 0,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 120,
      },
    })
  })

  it('warns about fields it ignored, but about no field that the SDK sends', () => {
    const known = {
      prompt_cache_key: 'k',
      prompt_cache_options: { mode: 'explicit' },
      safety_identifier: 's',
    }
    expect(request(known as Partial<DecisionCreateParams>).warnings).toEqual([])
    const unknown = { temperature: 0, constructor: 0, x_calibration: null, order_invariant: true }
    const read = request(unknown as Partial<DecisionCreateParams>)
    expect(read).toMatchObject({ calibration: null, orderInvariant: false })
    expect(read.warnings).toEqual([
      'unknown field ignored: temperature',
      'unknown field ignored: constructor',
      'unknown field ignored: x_calibration; /v1/decisions has calibration, /v1/systemone x_calibration',
      'unknown field ignored: order_invariant; /v1/decisions has order_invariant, /v1/systemone x_order_invariant',
    ])
    const answer: Answer = { type: 'noul', noul: 0.9, probabilities: new Map(), logits: new Map(), decider }
    const warned = openai.read(body()).write({ ...decisionOf(answer), warnings: ['a warning'] })
    expect(JSON.parse(compact(warned))).toMatchObject({ warnings: ['a warning'] })
  })
})

describe('a refusal as the OpenAI SDK reads it', () => {
  it('has message, type, param and code', () => {
    const problem = new Problem('insufficient_credits', 'the balance is used up', { param: 'authorization' })
    const { status, body: written } = openai.refuse(problem)
    expect(status).toBe(402)
    expect(JSON.parse(compact(written))).toEqual({
      error: {
        message: 'the balance is used up',
        type: 'billing_error',
        param: 'authorization',
        code: 'insufficient_credits',
      },
    })
  })

  it('has a null param if none applies, and uses its own names for what the core found', () => {
    expect(errorOf(new Problem('engine_timeout', 'x'))).toMatchObject({ param: null })
    expect(errorOf(new Misfit(['state'], 'must be short', 'state_too_long'))).toMatchObject({
      param: 'input',
      message: 'input must be short',
    })
    expect(errorOf(new Misfit(['questions', '7', 'instructions'], 'must be short'))).toMatchObject({
      param: 'questions[7].instructions',
      message: 'questions[7].instructions must be short',
    })
  })
})
