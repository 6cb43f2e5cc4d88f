import { describe, expect, it } from 'vitest'
import { publishedKeys } from './github-keys.ts'

const setup = (answer: () => Response | Promise<Response>) => {
  let fetches = 0
  let asked: Request | undefined
  let time = 0
  const find = publishedKeys('https://keys.test', {
    fetch: async (...request) => {
      fetches += 1
      asked = new Request(...request)
      return answer()
    },
    now: () => time,
  })
  return {
    find,
    fetches: () => fetches,
    asked: () => asked,
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
    pass(59_999)
    expect(await find('k2')).toBeNull()
    expect(fetches()).toBe(1)
    pass(1)
    expect(await find('k2')).toBe('pem of k2')
    expect(fetches()).toBe(2)
  })

  it('are also there for a second report that arrives while they are being fetched', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    const { find, fetches } = setup(() => promise)
    const reports = Promise.all([find('k1'), find('k1'), find('k9')])
    resolve(publishing('k1'))
    expect(await reports).toEqual(['pem of k1', 'pem of k1', null])
    expect(fetches()).toBe(1)
  })

  it('keep nobody waiting for a request that was cut off while asking', async () => {
    const { find, fetches, pass } = setup(() => new Promise(() => {}))
    void find('k1')
    const second = find('k1')
    pass(5_000)
    expect(await second).toBeNull()
    expect(fetches()).toBe(1)
    void find('k1')
    expect(fetches()).toBe(2)
  })

  it('are requested as GitHub requires, with a user agent, and from nowhere else', async () => {
    const { find, asked } = setup(() => publishing('k1'))
    await find('k1')
    expect(asked()?.headers.get('user-agent')).toBe('decider')
    expect(asked()?.redirect).toBe('manual')
  })

  it.each([
    ['fails', () => new Response('', { status: 503 })],
    ['is not JSON', () => new Response('<html>')],
    ['has the wrong form', () => Response.json({ keys: [] })],
    ['is huge', () => new Response(`{"public_keys":[]}${' '.repeat(70_000)}`)],
  ])('stay unknown when the answer %s, and are asked for again soon', async (_, answer) => {
    let answered = answer
    const { find, pass } = setup(() => answered())
    expect(await find('k1')).toBeNull()
    answered = () => publishing('k1')
    pass(2_000)
    expect(await find('k1')).toBe('pem of k1')
  })
})
