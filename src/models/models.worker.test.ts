import { describe, expect, it } from 'vitest'
import { NOTHING_SPENT } from '../access/admission.ts'
import { SNAPSHOT, snapshotInfo } from '../testing/scorer.ts'
import { type Given, setup } from '../testing/setup.ts'

const modelAliases = new Map([
  ['jev-latest', 'decider-1'],
  ['pinned', SNAPSHOT],
  ['dangling', 'no-such-model'],
])

const listed = async (given: Given): Promise<{ alias: object; models: unknown[] }> =>
  (await setup(given).get('/v1/models')).json()

describe('GET /v1/models → 200', () => {
  it('lists snapshots, aliases and today', async () => {
    const edge = setup()
    const response = await edge.get('/v1/models')
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      object: 'list',
      alias: { 'decider-1': SNAPSHOT, decider: SNAPSHOT },
      data: [snapshotInfo],
      today: '2026-11-21',
    })
    expect(edge.settled).toMatchObject([{ spent: NOTHING_SPENT }])
  })

  it("lists the operator's aliases with the snapshots they mean", async () => {
    const { alias } = await listed({ modelAliases })
    expect(alias).toMatchObject({ 'jev-latest': SNAPSHOT, pinned: SNAPSHOT })
    expect(alias).not.toHaveProperty('dangling')
  })

  it("lists the operator's aliases of a snapshot and of the one it superseded", async () => {
    const superseded = 'decider-preview-2025-10-13'
    const catalogue = {
      snapshots: [snapshotInfo, { ...snapshotInfo, id: superseded }],
      aliases: { 'decider-1': SNAPSHOT },
    }
    const { alias } = await listed({
      scorer: { catalogue: async () => catalogue },
      modelAliases: new Map([...modelAliases, ['old', superseded], [superseded, 'decider-1']]),
    })
    expect(alias).toEqual({
      'decider-1': SNAPSHOT,
      'jev-latest': SNAPSHOT,
      pinned: SNAPSHOT,
      old: superseded,
    })
  })

  it('never lets an alias take the id of a snapshot', async () => {
    const named = { modelAliases: new Map([[SNAPSHOT, 'decider-1']]) }
    expect((await listed(named)).alias).not.toHaveProperty(SNAPSHOT)
    const decision = { state: 's', questions: { q: { type: 'noul' } }, model: SNAPSHOT }
    expect((await setup(named).post('/v1/decisions', decision)).status).toBe(200)
  })

  it('names the models as System One clients read them', async () => {
    const { models } = await listed({})
    expect(models).toContainEqual({
      name: 'decider-1',
      description: expect.any(String),
      release_date: '2026-10-13',
    })
  })

  it('answers HEAD without a body', async () => {
    const edge = setup()
    const { headers } = await edge.get('/v1/models')
    const response = await edge.fetch('/v1/models', { method: 'HEAD' })
    expect(headers.get('content-type')).toBe('application/json')
    expect([response.status, await response.text()]).toEqual([401, ''])
  })
})

describe('GET /v1/models → 503', () => {
  it('while no scorer has ever been heard from', async () => {
    const response = await setup({ scorer: { catalogue: async () => null } }).get('/v1/models')
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('2')
  })
})

describe('a model name', () => {
  const statusFor = async (model: string) =>
    (
      await setup({ modelAliases }).post('/v1/decisions', {
        model,
        state: 's',
        questions: { q: { type: 'noul' } },
      })
    ).status

  it.each(['jev-latest', 'pinned', 'decider', SNAPSHOT])('%s is served', async name => {
    expect(await statusFor(name)).toBe(200)
  })

  it.each(['dangling', 'no-such-model', '', 'toString'])('%j is not', async name => {
    expect(await statusFor(name)).toBe(404)
  })
})

describe('the refusal of an unknown model', () => {
  const unknown = { model: 'gpt' }
  const edge = setup()
  it.each([
    ['/v1/decisions', '/v1/models', () => edge.post('/v1/decisions', unknown)],
    ['/v1/systemone', '/v1/models', () => edge.post('/v1/systemone', unknown)],
    ['/v1/calibrations', '/v1/models', () => edge.post('/v1/calibrations', unknown)],
    ['/openai/v1/decisions', '/openai/v1/models', () => edge.post('/openai/v1/decisions', unknown)],
    ['/v1/models/gpt', '/v1/models', () => edge.get('/v1/models/gpt')],
    ['/openai/v1/models/gpt', '/openai/v1/models', () => edge.get('/openai/v1/models/gpt')],
  ])('by %s names GET %s', async (_, listedAt, call) => {
    expect(await (await call()).text()).toContain(`GET ${listedAt} lists`)
  })
})

describe('GET /v1/models/:model', () => {
  it.each(['decider-1', 'jev-latest', SNAPSHOT])('describes the snapshot that %s stands for', async name => {
    const edge = setup({ modelAliases })
    const response = await edge.get(`/v1/models/${name}`)
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(snapshotInfo)
    expect(edge.settled).toMatchObject([{ spent: NOTHING_SPENT }])
  })

  it.each(['dangling', 'toString'])('%s is model_not_found', async name => {
    const response = await setup({ modelAliases }).get(`/v1/models/${name}`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: 'model_not_found' } })
  })
})

describe('GET /openai/v1/models', () => {
  it("lists every name as OpenAI's SDK reads them", async () => {
    const response = await setup().get('/openai/v1/models')
    expect(await response.json()).toMatchObject({
      object: 'list',
      data: [{ id: 'decider-1' }, { id: 'decider' }, { id: SNAPSHOT }],
    })
  })
})

describe('GET /openai/v1/models/:model', () => {
  it.each([
    ['pinned', 200],
    ['dangling', 404],
    ['toString', 404],
  ])('%s is %d', async (name, status) => {
    expect((await setup({ modelAliases }).get(`/openai/v1/models/${name}`)).status).toBe(status)
  })
})

describe('GET /healthz', () => {
  it('needs no key and names engine and region of the scorer', async () => {
    const edge = setup()
    const response = await edge.fetch('/healthz')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ ok: true, region: 'us', engine: 'test engine' })
    expect(edge.admitted).toEqual([])
  })

  it.each([
    ['draining', 'draining'],
    ['late', 'unreachable'],
  ] as const)('still answers 200, not ok, when the scorer is away: %s', async (fault, engine) => {
    const response = await setup({ scorer: { health: async () => fault } }).fetch('/healthz')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ ok: false, region: 'us', engine })
  })
})
