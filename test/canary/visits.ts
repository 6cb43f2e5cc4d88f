// Every path that a request's content can take through the service, with canaries wherever a caller can write.

export type Visit = {
  name: string
  method?: string
  path: string
  headers?: Record<string, string>
  body?: string
  /** A refusal that may name a field: the one whose name is `named`. */
  naming?: true
  expect: number | readonly number[]
}

export type Given = {
  /** Must turn up nowhere except in the answer to the request that carried it, and there only where it belongs. */
  secret: string
  /** Belongs in the answer to its own request: ids, option keys, level descriptions. */
  named: string
  auth: string
  authWithoutCredit: string
  authPlayground: string
}

const json = (value: unknown): string => JSON.stringify(value)

const questionsOf = ({ secret, named }: Given) => ({
  [`${named}-choice`]: {
    type: 'choice',
    instructions: { ask: secret },
    criteria: { [`${named}-a`]: { what: secret, examples: [secret] }, b: null },
  },
  [`${named}-noul`]: { type: 'noul', instructions: secret, criteria: { true: secret, false: secret } },
  [`${named}-score`]: { type: 'score', instructions: [secret], criteria: [`${named} low`, `${named} high`] },
})

export const successes = (given: Given): Visit[] => {
  const { secret, named, auth } = given
  const headers = { authorization: auth, 'content-type': 'application/json', 'x-custom': secret }
  const post = (name: string, path: string, body: unknown): Visit => ({
    name,
    method: 'POST',
    path,
    headers,
    body: json(body),
    expect: 200,
  })
  const questions = questionsOf(given)
  return [
    post('a decision', '/v1/decisions', { state: { message: secret, [secret]: 1 }, questions }),
    post('the same again, from the cache', '/v1/decisions', {
      state: { message: secret, [secret]: 1 },
      questions,
    }),
    post('an order-invariant decision', '/v1/decisions', { state: secret, questions, order_invariant: true }),
    post('a decision with an unknown field', '/v1/decisions', {
      state: secret,
      questions,
      [`${named}-f`]: secret,
    }),
    post('the alias path', '/v1/altdecisions', { input: secret, questions }),
    post('a System One decision', '/v1/systemone', { state: secret, questions, model: 'decider-1' }),
    post('an OpenAI decision', '/openai/v1/decisions', {
      model: 'decider-1',
      input: secret,
      questions: [
        {
          name: named,
          type: 'choice',
          instructions: secret,
          choices: [{ value: named, description: secret }, { value: 'b' }],
        },
      ],
    }),
    post('a calibration', '/v1/calibrations', {
      examples: Array.from({ length: 200 }, (_, i) => ({
        state: `${secret} ${i}`,
        questions: { [named]: { type: 'noul', instructions: secret, label: i % 3 === 0 } },
      })),
    }),
  ]
}

export const failures = (given: Given): Visit[] => {
  const { secret, named, auth, authWithoutCredit, authPlayground } = given
  const post = (
    name: string,
    expect: Visit['expect'],
    body: string,
    more: { path?: string; headers?: Record<string, string> } = {},
  ): Visit => ({
    name,
    method: 'POST',
    path: more.path ?? '/v1/decisions',
    headers: { authorization: auth, 'content-type': 'application/json', ...more.headers },
    body,
    expect,
  })
  const questions = { q: { type: 'noul', instructions: secret } }
  const good = json({ state: secret, questions })
  const q = (question: object) => json({ state: secret, questions: { q: question } })
  return [
    post('no key', 401, good, { headers: { authorization: '' } }),
    post('a key that is none', 401, good, { headers: { authorization: `Bearer ${secret}` } }),
    post('no credit', 402, good, { headers: { authorization: authWithoutCredit } }),
    ...Array.from({ length: 15 }, () =>
      post('too fast', [200, 429], good, { headers: { authorization: authPlayground } }),
    ),
    post('an unknown model', 404, json({ state: secret, questions, model: secret })),
    post('an unknown path', 404, good, { path: `/v1/${secret}?q=${secret}` }),
    {
      name: 'a wrong method',
      path: `/v1/decisions?${secret}=1`,
      headers: { authorization: auth },
      expect: 405,
    },
    post('an encoding', 415, good, { headers: { 'content-encoding': secret } }),
    // A sender that is still sending when the answer comes may find the connection closed.
    post('a body too large', [413, 0], json({ state: secret.repeat(150_000), questions })),
    post('no JSON', 422, `{"state": ${secret}}`),
    post('JSON cut short', 422, good.slice(0, -1)),
    post('a field twice', 422, `{"state":1,"questions":{"q":{"type":"noul","${secret}":1,"${secret}":2}}}`),
    post('JSON too deep', 422, `{"${secret}":${'['.repeat(5_000)}${']'.repeat(5_000)}}`),
    post('half a character', 422, `{"state":"${secret}\\ud800"}`),
    post('no questions', 422, json({ state: secret })),
    post('no state', 422, json({ questions })),
    post('an unknown type', 422, q({ type: secret })),
    post('an unknown field in a question', 422, q({ type: 'noul', instructions: secret, answer: secret })),
    { ...post('a field of the caller’s own name', 422, q({ type: 'noul', [named]: secret })), naming: true },
    post('criteria of the wrong form', 422, q({ type: 'choice', criteria: [secret] })),
    post('too few levels', 422, q({ type: 'score', criteria: [secret] })),
    post('a side that is none', 422, q({ type: 'noul', criteria: { maybe: secret } })),
    post('a state too long', 422, json({ state: `${secret} `.repeat(20_000), questions })),
    post('a profile that is none', 400, json({ state: secret, questions, calibration: secret })),
    post(
      'a profile that is nearly one',
      400,
      json({ state: secret, questions, calibration: `calp1.local1.${secret}` }),
    ),
    post('too few examples', 422, json({ examples: [{ state: secret, questions }] }), {
      path: '/v1/calibrations',
    }),
    post('an impossible label', 422, json({ examples: labelled(secret) }), { path: '/v1/calibrations' }),
    post('a System One refusal', 422, json({ state: secret, questions: { q: { type: secret } } }), {
      path: '/v1/systemone',
    }),
    post('an OpenAI refusal', [400, 422], json({ model: 'decider-1', input: secret, questions: secret }), {
      path: '/openai/v1/decisions',
    }),
    post('an admin order that is none', 401, good, { path: '/admin/v1/accounts' }),
    post('an event nobody signed', [404, 422], good, {
      path: '/webhooks/stripe',
      headers: { 'stripe-signature': secret },
    }),
    // 500 where GitHub cannot be asked for its keys.
    post('a report nobody signed', [401, 500], json([{ token: secret, type: 't' }]), {
      path: '/webhooks/secret-scanning',
      headers: { 'github-public-key-identifier': secret, 'github-public-key-signature': secret },
    }),
    {
      name: 'an account query',
      path: `/v1/account/activity?path=${secret}`,
      headers: { authorization: auth },
      expect: 200,
    },
    {
      name: 'a bad account query',
      path: `/v1/account/activity?limit=${secret}`,
      headers: { authorization: auth },
      expect: 422,
    },
  ]
}

const labelled = (secret: string) =>
  Array.from({ length: 200 }, () => ({
    state: secret,
    questions: { q: { type: 'noul', instructions: secret, label: secret } },
  }))
