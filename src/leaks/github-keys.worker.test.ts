import { describe, expect, it, vi } from 'vitest'
import { publishedKeys } from './github-keys.ts'

const setup = (answer: () => Response | Promise<Response>, token?: string) => {
  const reports: (number | null)[] = []
  let fetches = 0
  let asked: Request | undefined
  let time = 0
  const find = publishedKeys({
    url: 'https://keys.test',
    token,
    report: status => reports.push(status),
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
    reports,
    pass: (ms: number) => {
      time += ms
    },
  }
}

const publishing = (...ids: string[]) =>
  Response.json({
    public_keys: ids.map(id => ({ key_identifier: id, key: `pem of ${id}`, is_current: true })),
  })

const published = (id: string) => ({ kind: 'published', pem: `pem of ${id}` })
const UNKNOWN = { kind: 'unknown' }
const UNHEARD = { kind: 'unheard' }

describe('the keys that GitHub publishes', () => {
  it('are fetched once for every identifier that is on the list', async () => {
    const { find, fetches } = setup(() => publishing('k1', 'k2'))
    expect(await find('k1')).toEqual(published('k1'))
    expect(await find('k2')).toEqual(published('k2'))
    expect(await find('k1')).toEqual(published('k1'))
    expect(fetches()).toBe(1)
  })

  it('are fetched again for a new identifier, but not more than once a minute', async () => {
    let ids = ['k1']
    const { find, fetches, pass } = setup(() => publishing(...ids))
    await find('k1')
    ids = ['k1', 'k2']
    for (let i = 0; i < 50; i++) expect(await find('k2')).toEqual(UNKNOWN)
    pass(59_999)
    expect(await find('k2')).toEqual(UNKNOWN)
    expect(fetches()).toBe(1)
    pass(1)
    expect(await find('k2')).toEqual(published('k2'))
    expect(fetches()).toBe(2)
  })

  it.each([
    ['they were fetched', () => publishing('k1')],
    ['GitHub did not answer', () => new Response('', { status: 403 })],
    ['the request that asks was cut off', () => new Promise<Response>(() => {})],
  ])('are fetched again for a new identifier if the clock was set back after %s', async (_, first) => {
    let answered: () => Response | Promise<Response> = first
    const { find, fetches, pass } = setup(() => answered())
    void find('k1')
    await Promise.resolve()
    answered = () => publishing('k2')
    pass(-3_600_000)
    expect(await find('k2')).toEqual(published('k2'))
    expect(fetches()).toBe(2)
  })

  it('are also there for a second report that arrives while they are being fetched', async () => {
    const { promise, resolve } = Promise.withResolvers<Response>()
    const { find, fetches } = setup(() => promise)
    const reports = Promise.all([find('k1'), find('k1'), find('k9')])
    resolve(publishing('k1'))
    expect(await reports).toEqual([published('k1'), published('k1'), UNKNOWN])
    expect(fetches()).toBe(1)
  })

  it('keep nobody waiting for a request that was cut off while asking, whatever was heard before', async () => {
    let answered: () => Response | Promise<Response> = () => publishing('k1')
    const { find, fetches, pass } = setup(() => answered())
    await find('k1')
    answered = () => new Promise(() => {})
    pass(60_000)
    void find('k2')
    const second = find('k2')
    pass(5_000)
    expect(await second).toEqual(UNHEARD)
    expect(fetches()).toBe(2)
    void find('k2')
    expect(fetches()).toBe(3)
  })

  it('are given up, which is reported, when GitHub takes longer than five seconds', async () => {
    const late = new AbortController()
    const limit = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(late.signal)
    let answered = (): Promise<Response> => Promise.reject()
    const { find, asked, reports } = setup(() => answered())
    answered = () => new Promise((_, reject) => asked()?.signal.addEventListener('abort', reject))
    const finding = find('k1')
    late.abort()
    expect(await finding).toEqual(UNHEARD)
    expect(limit).toHaveBeenCalledWith(5_000)
    expect(reports).toEqual([null])
  })

  it('are requested as GitHub requires, with a user agent, and from nowhere else', async () => {
    const { find, asked } = setup(() => publishing('k1'))
    await find('k1')
    expect(asked()?.headers.get('user-agent')).toBe('decider')
    expect(asked()?.headers.has('authorization')).toBe(false)
    expect(asked()?.redirect).toBe('manual')
  })

  it('are requested with the token, if there is one', async () => {
    const { find, asked } = setup(() => publishing('k1'), 'ghp_1')
    await find('k1')
    expect(asked()?.headers.get('authorization')).toBe('Bearer ghp_1')
  })

  it.each<[string, () => Response | Promise<Response>, number | null]>([
    ['does not come', () => Promise.reject(new TypeError('no line')), null],
    ['is a refusal', () => new Response('', { status: 403 }), 403],
    ['is not JSON', () => new Response('<html>'), 200],
    ['has the wrong form', () => Response.json({ keys: [] }), 200],
    ['is huge', () => new Response(`{"public_keys":[]}${' '.repeat(70_000)}`), 200],
  ])(
    'stay unheard when the answer %s, which is reported, and are asked for again soon',
    async (_, answer, status) => {
      let answered = answer
      const { find, pass, reports } = setup(() => answered())
      expect(await find('k1')).toEqual(UNHEARD)
      // However many reports come meanwhile.
      for (let i = 0; i < 50; i++) expect(await find(`k${i}`)).toEqual(UNHEARD)
      expect(reports).toEqual([status])
      answered = () => publishing('k1')
      pass(2_000)
      expect(await find('k1')).toEqual(published('k1'))
      expect(await find('k2')).toEqual(UNKNOWN)
    },
  )

  it('are still known when a later answer fails', async () => {
    let answered = () => publishing('k1')
    const { find, pass } = setup(() => answered())
    await find('k1')
    answered = () => new Response('', { status: 403 })
    pass(60_000)
    expect(await find('k2')).toEqual(UNHEARD)
    expect(await find('k1')).toEqual(published('k1'))
  })
})
