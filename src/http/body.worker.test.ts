import { env } from 'cloudflare:workers'
import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { NOTHING_SPENT } from '../access/admission.ts'
import { Problem } from '../problem.ts'
import { useStoppedTimers } from '../testing/clock.ts'
import { apiKey, OWNER, RATES, setup } from '../testing/setup.ts'
import { readBody } from './body.ts'
import { MAX_BODY_BYTES } from './body-limit.ts'
import { arriving, bytesOf } from './bytes.ts'

const decision = '{"state":"s","questions":{"q":{"type":"noul"}}}'
const paths = ['/v1/decisions', '/v1/altdecisions'] as const

/** The same with a state of these bytes. */
const withStateOf = (bytes: string) => Buffer.from(decision.replace('"s"', `"${bytes}"`), 'latin1')

/** The same bytes with spaces around them, up to a size. */
const padded = (size: number) => decision + ' '.repeat(size - decision.length)

const streamed = (pieces: Iterable<string>) => {
  const iterator = pieces[Symbol.iterator]()
  let pulled = 0
  const stream = new ReadableStream({
    type: 'bytes',
    pull: controller => {
      const { done, value } = iterator.next()
      if (done) return controller.close()
      pulled++
      controller.enqueue(new TextEncoder().encode(value))
    },
  })
  return { stream, pulled: () => pulled }
}

const post = (edge: ReturnType<typeof setup>, path: string, body: BodyInit, headers = {}) =>
  edge.fetch(path, { method: 'POST', body, headers: { authorization: `Bearer ${apiKey}`, ...headers } })

// biome-ignore lint/suspicious/noExplicitAny: answers are compared field by field
const errorOf = async (response: Response) => ((await response.json()) as any).error

describe.each(paths)('POST %s → 413', path => {
  it('past 4,000,000 bytes, but not at exactly that', async () => {
    expect((await post(setup(), path, padded(MAX_BODY_BYTES))).status).toBe(200)
    const declaring = setup()
    const length = { 'content-length': String(MAX_BODY_BYTES) }
    expect((await post(declaring, path, padded(MAX_BODY_BYTES), length)).status).toBe(200)
    expect(declaring.admitted).toMatchObject([{ tokens: MAX_BODY_BYTES }])
    const response = await post(setup(), path, padded(MAX_BODY_BYTES + 1))
    expect(response.status).toBe(413)
    expect(await errorOf(response)).toMatchObject({
      type: 'invalid_request_error',
      code: 'request_too_large',
      param: 'body',
      message: expect.stringContaining('4000000'),
    })
  })

  it('without a declared length too, once it has come to its end', async () => {
    const { stream, pulled } = streamed(Array<string>(200).fill(' '.repeat(100_000)))
    const edge = setup()
    const response = await post(edge, path, stream)
    expect(response.status).toBe(413)
    expect(pulled()).toBe(200)
    expect(edge.settled).toMatchObject([{ spent: NOTHING_SPENT }])
  })

  it('after a hundred million more bytes, if it has not come to its end by then', async () => {
    const { stream, pulled } = streamed(Array<string>(300).fill(' '.repeat(1_000_000)))
    expect((await post(setup(), path, stream)).status).toBe(413)
    expect(pulled()).toBeLessThan(110)
  })

  it('of a declared length at once', async () => {
    const { stream, pulled } = streamed(Array<string>(50).fill(' '.repeat(100_000)))
    const edge = setup()
    const response = await post(edge, path, stream, { 'content-length': '5000000' })
    expect(response.status).toBe(413)
    expect(pulled()).toBeLessThanOrEqual(1)
    expect(edge.admitted).toMatchObject([{ tokens: 0 }])
  })
})

it('a small body has its own limit at the admin API: 16,384 bytes, and not one more', async () => {
  const create = (size: number) =>
    setup().fetch('/admin/v1/accounts', {
      method: 'POST',
      body: '{"name":"Ada"}'.padEnd(size),
      headers: { authorization: `Bearer ${env.ADMIN_SECRET}` },
    })
  expect((await create(16_384)).status).toBe(201)
  const response = await create(16_385)
  expect(response.status).toBe(413)
  expect(await errorOf(response)).toMatchObject({ code: 'request_too_large', param: 'body' })
})

it('a message that is longer than it declared is not taken for a shorter one', async () => {
  const message = new Response('x'.repeat(11), { headers: { 'content-length': '5' } })
  expect(await bytesOf(message, 10)).toBeNull()
})

it('a message of many small chunks is read in few pieces', async () => {
  const CHUNKS = 20_000
  const { stream } = streamed(Array<string>(CHUNKS).fill('x'))
  const read = vi.spyOn(ReadableStreamBYOBReader.prototype, 'read')
  expect(await bytesOf(new Response(stream), CHUNKS)).toHaveLength(CHUNKS)
  expect(read.mock.calls.length).toBeLessThan(5)
})

describe('a large body', () => {
  const PIECE = 16_384
  const PIECES = 60
  const large = () => streamed(Array<string>(PIECES).fill(' '.repeat(PIECE)))

  it.each([
    ['of undeclared length', {}, 5],
    ['of declared length', { 'content-length': String(PIECES * PIECE) }, 1],
  ])('%s is read to its end but not kept if its sender is unknown', async (_, headers, most) => {
    const { stream, pulled } = large()
    const request = new Request('https://decider.test', { method: 'POST', body: stream, headers })
    let pulledBefore = Number.POSITIVE_INFINITY
    const read = arriving(request, MAX_BODY_BYTES, async () => {
      pulledBefore = pulled()
      throw new Problem('invalid_api_key', 'a stranger')
    })
    await expect(read).rejects.toThrow('a stranger')
    expect(pulledBefore).toBeLessThanOrEqual(most)
    expect(pulled()).toBe(PIECES)
  })

  it.each(paths)(
    'of POST %s needs an admission before it is kept, as the largest if its length is not declared',
    async path => {
      const edge = setup()
      expect((await post(edge, path, padded(65_537))).status).toBe(200)
      expect((await post(edge, path, padded(65_536))).status).toBe(200)
      expect(edge.admitted.map(({ tokens }) => tokens)).toEqual([MAX_BODY_BYTES, 65_536])
    },
  )

  it.each([
    [401, { kind: 'invalid_api_key' }],
    [402, { kind: 'insufficient_credits', ...OWNER, rates: RATES }],
    [429, { kind: 'token_rate_limited', ...OWNER, rates: RATES, retryAfterSeconds: 1 }],
  ] as const)(
    'of undeclared length is refused with %i for its sender, not read as JSON',
    async (status, admission) => {
      const edge = setup({ admission })
      expect((await post(edge, '/v1/decisions', large().stream)).status).toBe(status)
      expect(edge.admitted).toMatchObject([{ tokens: MAX_BODY_BYTES }])
    },
  )

  it.each(paths)('of POST %s and of declared length waits only for its admission', async path => {
    const edge = setup({ admissionTakesMs: 20 })
    const admittedAtPull: number[] = []
    const { stream } = streamed(
      (function* () {
        for (const piece of [decision, ...Array<string>(PIECES).fill(' '.repeat(PIECE))]) {
          admittedAtPull.push(edge.admitted.length)
          yield piece
        }
      })(),
    )
    const length = { 'content-length': String(decision.length + PIECES * PIECE) }
    expect((await post(edge, path, stream, length)).status).toBe(200)
    expect(admittedAtPull.slice(1)).toEqual(Array<number>(PIECES).fill(1))
  })
})

it('more keys and values than the largest decision has are read only for a calibration', async () => {
  const zeros = `{"x":[${'0,'.repeat(300_000)}0]}`
  const told = async (path: string) => (await errorOf(await post(setup(), path, zeros))).message
  expect(await told('/v1/decisions')).toContain('300000 keys and values')
  expect(await told('/v1/calibrations')).toBe('examples is required')
})

describe('a body past what may be read', () => {
  const options = (count: number) => Array.from({ length: count }, (_, i) => `"${i}":null`).join(',')
  const choice = (count: number) => `{"type":"choice","criteria":{${options(count)}}}`
  const named = (count: number, one: string) =>
    Array.from({ length: count }, (_, i) => `"q${i}":${one}`).join(',')

  const nouls = named(40_000, '{"type":"noul","instructions":"x"}')
  const example = `{"state":"s","questions":{"q":{"label":"1",${choice(42).slice(1)}}}`
  const OPTIONS = ['too_many_options', 'questions.q.criteria'] as const
  const QUESTIONS = ['too_many_questions', 'questions'] as const
  const BODY = ['invalid_schema', 'body'] as const

  it.each([
    ['/v1/decisions', `{"state":"s","questions":{"q":${choice(33_000)}}}`, ...OPTIONS],
    ['/v1/decisions', `{"state":"s","questions":{${nouls}}}`, ...QUESTIONS],
    // What comes after is not reported as missing.
    ['/v1/decisions', `{"questions":{"q":${choice(33_000)}},"state":"s"}`, ...OPTIONS],
    [
      '/v1/decisions',
      `{"questions":{"q":{"criteria":{${options(33_000)}},"type":"choice"}},"state":"s"}`,
      ...OPTIONS,
    ],
    ['/v1/decisions', `{"questions":{${nouls}},"state":"s"}`, ...QUESTIONS],
    [
      '/openai/v1/decisions',
      `{"input":"s","questions":[${Array(40_000).fill('{"type":"predicate","name":"a"}')}]}`,
      ...QUESTIONS,
    ],
    ['/v1/calibrations', `{"examples":[${Array(6_500).fill(example)}]}`, 'too_many_examples', 'examples'],
    ...[`[${'0,'.repeat(300_000)}0]`, `[${'[],'.repeat(80_000)}0]`, `{${options(33_000)}}`].flatMap(
      (state): [string, string, string, string][] => [
        ['/v1/decisions', `{"state":${state},"questions":{"q":{"type":"noul"}}}`, 'state_too_long', 'state'],
        ['/v1/altdecisions', `{"input":{"a":${state}}}`, 'state_too_long', 'state'],
        [
          '/openai/v1/decisions',
          `{"input":[{"role":"user","content":[{"type":"input_json","data":${state}}]}],"questions":[]}`,
          'state_too_long',
          'input',
        ],
      ],
    ),
    // The part of these that was read has too many of nothing, and the rest is not reported as missing.
    [
      '/v1/decisions',
      `{"state":"s","questions":{${named(100, choice(1_000).replaceAll('null', '{"what":""}'))}}}`,
      ...BODY,
    ],
    [
      '/v1/decisions',
      `{"questions":{${named(128, choice(1_000))}},"state":[${'0,'.repeat(60_000)}0]}`,
      ...BODY,
    ],
    ['/v1/calibrations', `{"examples":[{"state":[${'0,'.repeat(600_000)}0]}]}`, ...BODY],
  ])(
    'of POST %s is told what it has too many of, if that part was read (%#)',
    async (path, body, code, param) => {
      const response = await post(setup(), path, body)
      expect(response.status).toBe(422)
      expect(await errorOf(response)).toMatchObject({ code, param })
    },
  )

  it('of too many examples is not told a number of them, because the rest were not counted', async () => {
    const body = `{"examples":[${Array(6_500).fill(example)}]}`
    const { message } = await errorOf(await post(setup(), '/v1/calibrations', body))
    expect(message).toBe('examples must hold at most 5000 examples')
  })
})

it.each([
  ['after', (criteria: string) => `{"type":"choice","criteria":${criteria}}`],
  ['before', (criteria: string) => `{"criteria":${criteria},"type":"choice"}`],
])(
  'System One too is told of too many options %s the type, and of nothing that comes later',
  async (_, q) => {
    const options = Array.from({ length: 33_000 }, (_, i) => `"${i}":null`).join(',')
    const body = `{"questions":{"q":${q(`{${options}}`)}},"state":"s"}`
    const response = await post(setup(), '/v1/systemone', body)
    expect(response.status).toBe(422)
    expect(await response.json()).toEqual({
      detail: [
        {
          type: 'too_many_options',
          loc: ['body', 'questions', 'q', 'criteria'],
          msg: 'must hold at most 255 options',
        },
      ],
    })
  },
)

it('a state past what may be read is refused by System One like any state that is too long', async () => {
  const state = `[${'0,'.repeat(300_000)}0]`
  const response = await post(
    setup(),
    '/v1/systemone',
    `{"state":${state},"questions":{"q":{"type":"noul"}}}`,
  )
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ detail: { error_type: 'max_tokens_exceeded' } })
})

describe.each(paths)('POST %s → 422 for a body that is not JSON', path => {
  it.each<[string, BodyInit]>([
    ['nothing at all', ''],
    ['half a document', decision.slice(0, -1)],
    ['two documents', decision + decision],
    ['bytes that are not UTF-8', withStateOf('\xff')],
    ['an encoded surrogate', withStateOf('\xed\xa0\x80')],
    ['a repeated key', '{"state":"s","state":"t","questions":{"q":{"type":"noul"}}}'],
    ['half a surrogate pair', '{"state":"\\ud800","questions":{"q":{"type":"noul"}}}'],
    ['too deep a state', `{"state":${'['.repeat(200)}${']'.repeat(200)},"questions":{"q":{"type":"noul"}}}`],
    ['a flood of brackets', '['.repeat(MAX_BODY_BYTES)],
    ['a JSON text that is not an object', '[]'],
  ])('%s', async (_, body) => {
    const response = await post(setup(), path, body)
    expect(response.status).toBe(422)
    expect(await errorOf(response)).toMatchObject({ code: 'invalid_schema', param: 'body' })
  })

  it.each([
    ['', 'it is empty'],
    // As of a client that declares the length in characters, not in bytes.
    [decision.slice(0, -5), 'the text ends too early, at character 43'],
    ['{"state":NaN}', 'must not hold NaN or Infinity, which JSON does not have, at character 10'],
  ])('says what its sender can find out: %s', async (body, why) => {
    const { message } = await errorOf(await post(setup(), path, body))
    expect(message).toBe(`body cannot be read as JSON: ${why}`)
  })

  it('says where, and never what', async () => {
    const response = await post(setup(), path, '{"canary-key":"canary-value" "canary')
    const { message } = await errorOf(response)
    expect(message).toContain('at character 30')
    expect(message).not.toContain('canary')
  })
})

describe('a body', () => {
  it('may come in pieces that split a character', async () => {
    const bytes = new TextEncoder().encode('{"state":"é😀","questions":{"q":{"type":"noul"}}}')
    const stream = new ReadableStream({
      type: 'bytes',
      start: controller => {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]))
        controller.close()
      },
    })
    const response = await post(setup(), '/v1/decisions', stream)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ usage: { state_tokens: 3 } })
  })

  it('may begin with one byte order mark, but not two', async () => {
    expect((await post(setup(), '/v1/decisions', `\ufeff${decision}`)).status).toBe(200)
    expect((await post(setup(), '/v1/decisions', `\ufeff\ufeff${decision}`)).status).toBe(422)
  })

  describe('that does not come to its end', () => {
    useStoppedTimers()

    const answerAfterTwoMinutes = async (
      edge: ReturnType<typeof setup>,
      path: string,
      secret: string | undefined,
      { size = 1, until = () => expect(vi.getTimerCount()).toBe(1) } = {},
    ) => {
      const body = new ReadableStream({
        type: 'bytes',
        start: controller => controller.enqueue(new Uint8Array(size)),
      })
      const answer = edge.fetch(path, {
        method: 'POST',
        body,
        headers: {
          authorization: `Bearer ${secret}`,
          'github-public-key-identifier': 'k1',
          'github-public-key-signature': 'none',
        },
      })
      await vi.waitFor(until, { interval: 1, timeout: 10_000 })
      await scheduler.wait(1)
      vi.advanceTimersByTime(120_000)
      return answer
    }

    it.each<[string, string | undefined]>([
      ['/v1/decisions', apiKey],
      ['/admin/v1/accounts', env.ADMIN_SECRET],
      ['/webhooks/secret-scanning', apiKey],
    ])('is not waited for: POST %s', async (path, secret) => {
      const response = await answerAfterTwoMinutes(setup(), path, secret)
      expect(response.status).toBe(422)
      const message = expect.stringContaining('must arrive within 120 seconds')
      expect(await errorOf(response)).toMatchObject({ code: 'invalid_schema', message, param: 'body' })
    })

    it('is not waited for either once its sender is known to be a stranger', async () => {
      const stranger = setup({ admission: { kind: 'invalid_api_key' } })
      const response = await answerAfterTwoMinutes(stranger, '/v1/decisions', apiKey, {
        size: 90_000,
        until: () => expect(stranger.admitted).toHaveLength(1),
      })
      expect(response.status).toBe(401)
    })
  })

  it('that is cut off is refused, and settled at no cost', async () => {
    const body = new ReadableStream({
      type: 'bytes',
      pull: controller => {
        controller.enqueue(new Uint8Array([0x7b]))
        controller.error(new Error('the canary hung up'))
      },
    })
    const edge = setup()
    const response = await post(edge, '/v1/decisions', body)
    expect(response.status).toBe(422)
    expect(await errorOf(response)).toMatchObject({
      code: 'invalid_schema',
      message: 'body ended early',
    })
    expect(edge.faults).toEqual([])
    expect(edge.settled).toMatchObject([{ spent: NOTHING_SPENT }])
  })

  it('is read whatever its Content-Type says', async () => {
    expect((await post(setup(), '/v1/decisions', decision, { 'content-type': 'text/plain' })).status).toBe(
      200,
    )
  })

  it.each([...paths, '/openai/v1/decisions'])('of POST %s with images is refused as such', async path => {
    const parts = new FormData()
    parts.set('request', new Blob([decision], { type: 'application/json' }))
    parts.set('image', new Blob([new Uint8Array([0x89, 0x50, 0xff])], { type: 'image/png' }))
    const response = await post(setup(), path, parts)
    expect(response.status).toBe(422)
    expect(await errorOf(response)).toMatchObject({
      code: 'invalid_schema',
      message: expect.stringContaining('no images'),
      param: 'body',
    })
  })
})

describe('Content-Encoding', () => {
  it.each(['gzip', 'br', 'zstd', 'identity, gzip'])('%s is 415 unsupported_encoding', async encoding => {
    const response = await post(setup(), '/v1/decisions', decision, { 'content-encoding': encoding })
    expect(response.status).toBe(415)
    expect(await errorOf(response)).toMatchObject({
      type: 'invalid_request_error',
      code: 'unsupported_encoding',
    })
  })

  it.each(['Identity', ''])('"%s" counts as none', async encoding => {
    const response = await post(setup(), '/v1/decisions', decision, { 'content-encoding': encoding })
    expect(response.status).toBe(200)
  })

  it('zstd is unpacked if the clients of an API send it, and counted unpacked whatever its length', async () => {
    const edge = setup()
    const body = withStateOf('a'.repeat(1_000))
    const packed = zstdCompressSync(body)
    const headers = { 'content-encoding': 'zstd', 'content-length': String(packed.byteLength) }
    const response = await post(edge, '/v1/systemone', packed, headers)
    expect(response.status).toBe(200)
    expect(edge.admitted).toMatchObject([{ tokens: body.length }])
  })

  it('zstd is not unpacked before it is admitted, as the largest if it may be, however little was sent', async () => {
    const packed = zstdCompressSync(' '.repeat(40_000_000))
    expect(packed.byteLength).toBeLessThan(2_000)
    const request = new Request('https://decider.test', {
      method: 'POST',
      body: packed,
      headers: { 'content-encoding': 'zstd' },
    })
    const problem = new Problem('insufficient_credits', 'no money')
    const asked: number[] = []
    const body = await readBody(request, ['zstd'], tokens => {
      asked.push(tokens)
      return Promise.reject(problem)
    })
    expect(body).toEqual({ kind: 'refused', problem })
    expect(asked).toEqual([MAX_BODY_BYTES])
  })

  it.each([1, 100_000])(
    'a zstd frame that does not say how much it holds is admitted once, as the largest: %i bytes',
    async bytes => {
      const edge = setup()
      const body = stored(withStateOf('a'.repeat(bytes)))
      const response = await post(edge, '/v1/systemone', body, { 'content-encoding': 'zstd' })
      expect(response.status).toBe(200)
      expect(edge.admitted).toMatchObject([{ tokens: MAX_BODY_BYTES }])
    },
  )
})

/** A zstd frame of one raw block (RFC 8878, 3.1.1), which is as large as what it holds. */
const stored = (raw: Uint8Array): Uint8Array => {
  const header = (raw.byteLength << 3) | 1
  const [magic, window] = [[0x28, 0xb5, 0x2f, 0xfd], 0x50]
  return Uint8Array.of(...magic, 0, window, header, header >> 8, header >> 16, ...raw)
}
