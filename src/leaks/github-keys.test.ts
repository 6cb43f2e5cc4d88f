import { describe, expect, it } from 'vitest'
import { publishedKeys } from './github-keys.ts'

const setup = (answer: () => Response | Promise<Response>) => {
  let fetches = 0
  let time = 0
  const find = publishedKeys('https://keys.test', {
    fetch: async () => {
      fetches += 1
      return answer()
    },
    now: () => time,
  })
  return {
    find,
    fetches: () => fetches,
    pass: (ms: number) => {
      time += ms
    },
  }
}

const publishing = (...ids: string[]) =>
  Response.json({
    public_keys: ids.map(id => ({ key_identifier: id, key: `pem of ${id}`, is_current: true })),
  })

describe('the keys that GitHub publishes', () => {
  it('are fetched once for every identifier that is on the list', async () => {
    const { find, fetches } = setup(() => publishing('k1', 'k2'))
    expect(await find('k1')).toBe('pem of k1')
    expect(await find('k2')).toBe('pem of k2')
    expect(await find('k1')).toBe('pem of k1')
    expect(fetches()).toBe(1)
  })

  it('are fetched again for a new identifier, but not more than once a minute', async () => {
    let ids = ['k1']
    const { find, fetches, pass } = setup(() => publishing(...ids))
    await find('k1')
    ids = ['k1', 'k2']
    for (let i = 0; i < 50; i++) expect(await find('k2')).toBeNull()
    expect(fetches()).toBe(1)
    pass(60_000)
    expect(await find('k2')).toBe('pem of k2')
    expect(fetches()).toBe(2)
  })

  it('are there for a second report too that comes while they are fetched', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    const { find, fetches } = setup(() => promise)
    const reports = Promise.all([find('k1'), find('k1'), find('k9')])
    resolve(publishing('k1'))
    expect(await reports).toEqual(['pem of k1', 'pem of k1', null])
    expect(fetches()).toBe(1)
  })

  it('are asked for again soon when GitHub did not answer', async () => {
    let status = 503
    const { find, pass } = setup(() => (status === 200 ? publishing('k1') : new Response('', { status })))
    expect(await find('k1')).toBeNull()
    status = 200
    pass(2_000)
    expect(await find('k1')).toBe('pem of k1')
  })

  it.each([
    ['fails', () => new Response('', { status: 503 })],
    ['is no JSON', () => new Response('<html>')],
    ['has another form', () => Response.json({ keys: [] })],
    ['is huge', () => new Response(`{"public_keys":[]}${' '.repeat(70_000)}`)],
  ])('stay unknown when the answer %s', async (_, answer) => {
    expect(await setup(answer).find('k1')).toBeNull()
  })
})
