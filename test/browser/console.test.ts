import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import type { AccountUsage } from '../../src/activity/wire.ts'
import { requestDecision } from '../request-decision.ts'
import { answerTo, chromiumOnly, enterKey, holdUp, settled, useBrowser } from './browser.ts'

const open = useBrowser()

describe('the console', () => {
  // An account may be read five times a second. On a fast machine these tests, one after the other, read it more often.
  beforeEach(() => pause(1_000))

  it('shows the account of the key: money, limits, the last thirty days and the models', async () => {
    const { page } = await open('/console')
    await page.getByText('Balance').waitFor()
    const overview = (await page.getByRole('region', { name: 'Overview' }).textContent()) ?? ''
    expect(overview).toContain(inject('service').keys.account)
    expect(overview).toMatch(/\$[45]\.\d\d/)
    expect(overview).toContain('Reloads $1,000.00 when below $1.00; payments are pretended here')
    expect(overview).toContain('bursts of 10')
    expect(overview).toMatch(/\d+ left/)
    expect(await page.locator('canvas').count()).toBe(5)
    const latency = page.getByRole('figure', { name: 'Latency of decisions' })
    expect(await latency.locator('.legend li').allTextContents()).toEqual(['p50', 'p95', 'p99'])
    await page.getByRole('region', { name: 'Last 30 days' }).getByText('Figures').first().click()
    expect(await page.getByRole('table', { name: 'Spend per day' }).getByRole('row').count()).toBe(31)
    // Longer than its place. Safari scrolls by keyboard only what can be given the focus.
    const scroller = page.getByRole('table', { name: 'Spend per day' }).locator('..')
    expect(await scroller.evaluate(element => element.scrollHeight - element.clientHeight)).toBeGreaterThan(
      100,
    )
    expect(await scroller.getAttribute('tabindex')).toBe('0')
    await page.getByText('Snapshots and aliases').click()
    const models = (await page.getByRole('table', { name: 'Snapshots' }).textContent()) ?? ''
    expect(models).toMatch(/decider-preview-\d{4}-\d\d-\d\d/)
    expect(models).toContain('not planned')
    await page.getByText('npm run decider -- --help').waitFor()
  })

  it('says at what time a key expires, and by which clock', async () => {
    const { page } = await open('/console', {
      before: page =>
        page.route('**/v1/account', async route => {
          const response = await route.fetch()
          const account = await response.json()
          const key = { ...account.key, expires_at: '2027-01-31T00:00:00.000Z' }
          await route.fulfill({ response, json: { ...account, key } })
        }),
    })
    await page.getByText('expires 2027-01-31 00:00 (UTC)').waitFor()
  })

  it('lists the requests just made, filters them and pages back by cursor', async () => {
    await requestDecision({ state: 1 })
    for (let at = 1; at < 30; at++) await requestDecision({ state: 'x', questions: { a: { type: 'noul' } } })
    const { page } = await open('/console')
    const table = page.getByRole('table', { name: 'Requests, newest first' })
    await expect.poll(() => table.getByRole('row').count(), { timeout: 10_000 }).toBe(26)
    const status = page.getByRole('region', { name: 'Activity' }).getByRole('status')
    await expect.poll(() => status.textContent()).toBe('Requests shown: 25')
    await page.getByRole('button', { name: 'Older requests' }).click()
    await expect.poll(() => table.getByRole('row').count()).toBeGreaterThan(30)
    await expect.poll(() => status.textContent()).toMatch(/^Requests shown: (?!25$)/)
    await page.getByLabel('Error code').selectOption('invalid_schema')
    await expect.poll(() => table.getByText('422 invalid_schema').count()).toBeGreaterThan(0)
    await expect.poll(() => table.getByText('200', { exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect.poll(() => table.getByRole('row').count()).toBe(26)
    await page.getByRole('button', { name: 'Older requests' }).click()
    await expect.poll(() => table.getByRole('row').count()).toBeGreaterThan(30)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await expect.poll(() => table.getByRole('row').count()).toBe(26)
    await page.getByLabel('Status').selectOption('200')
    await expect.poll(() => table.getByText('422 invalid_schema').count()).toBe(0)
    await page.getByLabel('Since (UTC)').fill('9000-01-01')
    await page.getByText('No requests to show.').waitFor()
    await page.getByLabel('Since (UTC)').fill('2026-01-01')
    await expect.poll(() => table.getByRole('row').count()).toBe(26)
  })

  chromiumOnly('clears also a date of which a part was deleted', async () => {
    const { page } = await open('/console')
    const since = page.getByLabel('Since (UTC)')
    const holdsPart = (input: HTMLInputElement) => input.validity.badInput
    await since.fill('2026-01-01')
    await since.press('Delete')
    expect(await since.evaluate(holdsPart)).toBe(true)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    expect(await since.evaluate(holdsPart)).toBe(false)
  })

  chromiumOnly('offers as filters the paths and error codes that a row may have, and no others', async () => {
    const { url, keys } = inject('service')
    await fetch(`${url}/openai/v1/models/decider-1`, {
      headers: { authorization: `Bearer ${keys.standard}` },
    })
    const { page } = await open('/console')
    const codes = page.getByLabel('Error code')
    await codes.waitFor()
    expect(await codes.locator('option').allTextContents()).toEqual([
      'All',
      'invalid_calibration_profile',
      'insufficient_credits',
      'model_not_found',
      'profile_model_mismatch',
      'request_too_large',
      'unsupported_encoding',
      'invalid_schema',
      'state_too_long',
      'too_many_questions',
      'too_many_options',
      'too_few_examples',
      'too_many_examples',
      'too_few_examples_per_question',
      'rate_limited',
      'token_rate_limited',
      'internal_error',
      'engine_timeout',
    ])
    await page.getByLabel('Path').selectOption('/openai/v1/models/:model')
    const table = page.getByRole('table', { name: 'Requests, newest first' })
    await expect.poll(() => table.getByRole('cell', { name: '/openai/v1/models/:model' }).count()).toBe(1)
  })

  chromiumOnly('says that it waits for a part, and shows no rows that a filter does not mean', async () => {
    const { page } = await open('/console')
    const table = page.getByRole('table', { name: 'Requests, newest first' })
    const log = page.getByRole('region', { name: 'Activity' })
    await expect.poll(() => table.getByRole('row').count(), { timeout: 10_000 }).toBeGreaterThan(1)
    const ink = () =>
      table
        .getByRole('cell')
        .first()
        .evaluate(cell => getComputedStyle(cell).color)
    const certain = await ink()
    const fail = await holdUp(page, /\/v1\/(account\/activity|models)/, route => route.abort())
    await page.getByLabel('Status').selectOption('200')
    await expect.poll(() => log.getAttribute('aria-busy')).toBe('true')
    expect(await ink()).not.toBe(certain)
    await page.getByText('Snapshots and aliases').click()
    await page.getByRole('region', { name: 'Models' }).getByText('Loading …').waitFor()
    fail()
    await expect.poll(() => page.getByRole('alert').count()).toBe(2)
    expect(await table.getByRole('row').count()).toBe(1)
    expect(await page.getByText('Loading …').count()).toBe(0)
    await page.unroute(/\/v1\/(account\/activity|models)/)
    await page.route(/\/v1\/account\/activity/, () => {})
    await page.getByLabel('Status').selectOption('4xx')
    await log.getByRole('status').getByText('Loading …').waitFor()
  })

  chromiumOnly('announces in a place that was there before that a filter leaves no requests', async () => {
    await requestDecision({ state: 1 })
    const { page } = await open('/console')
    const activity = page.getByRole('region', { name: 'Activity' })
    await activity.getByRole('row').nth(1).waitFor()
    const status = await activity.getByRole('status').elementHandle()
    await page.getByLabel('Since (UTC)').fill('9000-01-01')
    await expect.poll(() => status?.textContent()).toBe('No requests to show.')
  })

  chromiumOnly(
    'makes no request that counts as activity or needs a balance until someone asks for the models',
    async () => {
      const { page, requests } = await open('/console')
      const asked = () =>
        requests.map(({ url }) => new URL(url).pathname).filter(path => path.startsWith('/v1/'))
      await page.getByText('Balance').waitFor()
      await page.getByRole('button', { name: 'Refresh' }).click()
      await expect.poll(() => asked().filter(path => path === '/v1/account/activity').length).toBe(2)
      expect(asked().filter(path => !path.startsWith('/v1/account'))).toEqual([])
      await page.getByText('Snapshots and aliases').click()
      await page.getByRole('table', { name: 'Snapshots' }).waitFor()
      expect(asked().filter(path => path === '/v1/models')).toHaveLength(1)
    },
  )

  chromiumOnly('lists the models of now when refreshed and when the list is unfolded again', async () => {
    const { page } = await open('/console')
    const models = (id: string) => ({
      data: [
        {
          id,
          object: 'model',
          released: '2026-11-01',
          status: 'preview',
          base: 'decider-1',
          max_state_tokens: 1,
          modalities: ['text'],
          retire_after: null,
        },
      ],
      alias: { 'decider-1': id },
    })
    let served = 'first'
    await page.route('**/v1/models', route => route.fulfill({ json: models(served) }))
    const summary = page.getByText('Snapshots and aliases')
    const listed = (id: string) => page.getByRole('rowheader', { name: id }).waitFor()
    await summary.click()
    await listed('first')
    served = 'second'
    await page.getByRole('button', { name: 'Refresh' }).click()
    await listed('second')
    served = 'third'
    await summary.click()
    await summary.click()
    await listed('third')
  })

  chromiumOnly.each([
    ['small as the cost of one decision', 'Spend per day $0.0000186', '$0.000015'],
    ['large as the tokens of a busy day', 'Input tokens per day', '20,000,000,000'],
  ])('has room for figures as %s', async (_, name, longest) => {
    const usage = usageWith({ requests: 1, input_tokens: 60_000_000_000, cost_nanodollars: 18_600 })
    const { page } = await open('/console', {
      before: page => page.route('**/v1/account/usage', route => route.fulfill({ json: usage })),
    })
    const chart = page.getByRole('figure', { name })
    const room = await chart
      .locator('.u-over')
      .evaluate(area => Number.parseFloat(getComputedStyle(area).left))
    const width = await chart.evaluate((figure, longest) => {
      const text = figure.appendChild(document.createElement('span'))
      text.textContent = longest
      text.style.font = '12px "Geist Variable"'
      text.style.position = 'absolute'
      return text.getBoundingClientRect().width
    }, longest)
    expect(room).toBeGreaterThan(width + 5)
    await page.getByText('1 request, 0 of them today').waitFor()
  })

  chromiumOnly.each([
    ['light', 1360],
    ['dark', 360],
  ] as const)('shows as much of each error code, %s, if each is as frequent', async (colorScheme, width) => {
    const codes = ['invalid_schema', 'rate_limited', 'state_too_long']
    const usage = usageWith({ errors: Object.fromEntries(codes.map(code => [code, 2])) })
    const { page } = await open('/console', {
      colorScheme,
      viewport: { width, height: 740 },
      before: page => page.route('**/v1/account/usage', route => route.fulfill({ json: usage })),
    })
    const chart = page.getByRole('figure', { name: 'Errors per day 6 in 30 days' })
    await chart.locator('canvas').waitFor()
    expect(await chart.locator('.legend li').allTextContents()).toEqual(codes)
    const inks = ['--bad', '--warn', '--series-3']
    const areas = await chart.locator('canvas').evaluate((element, inks) => {
      const canvas = element as HTMLCanvasElement
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? []
      const written = (at: number) =>
        [...pixels.slice(at, at + 3)].map(part => part.toString(16).padStart(2, '0'))
      const areaOf = new Map<string, number>()
      for (let at = 0; at < pixels.length; at += 4) {
        const colour = `#${written(at).join('')}`
        areaOf.set(colour, (areaOf.get(colour) ?? 0) + 1)
      }
      const style = getComputedStyle(canvas)
      return inks.map(ink => areaOf.get(style.getPropertyValue(ink).trim()) ?? 0)
    }, inks)
    expect(Math.min(...areas)).toBeGreaterThan(300)
    expect(Math.max(...areas) / Math.min(...areas)).toBeLessThan(1.1)
    await chart.getByText('Figures').click()
    expect(await chart.getByRole('row').nth(1).allInnerTexts()).toEqual(['11-01\t2\t2\t2'])
  })

  chromiumOnly('asks for a key if there is none, and says why one is refused', async () => {
    const { page } = await open('/console')
    await page.getByText('Balance').waitFor()
    await page.getByRole('button', { name: 'Local playground key' }).click()
    await page.getByRole('button', { name: 'Forget the key' }).click()
    await page.locator('main').getByLabel('Key', { exact: true }).fill('sk_decider_nonsense')
    await page.locator('main').getByRole('button', { name: 'Use this key' }).click()
    await page.getByRole('alert').getByText('invalid_api_key').waitFor()
    expect(await page.getByRole('alert').textContent()).toMatch(/req_\w{20}/)
    expect(await page.getByText('Balance').count()).toBe(0)
  })

  chromiumOnly(
    'draws and asks nothing for what it read with another key, or before it was left',
    async () => {
      const { page, requests } = await open('/console')
      const pages = () => requests.filter(({ url }) => url.includes('/v1/account/activity')).length
      const balance = page.getByText('Balance')
      await balance.waitFor()
      await expect.poll(pages).toBe(1)
      await enterKey(page, inject('service').keys.standard)
      await page.getByText('bursts of 400').waitFor()
      await expect.poll(pages).toBe(2)
      await page.getByRole('link', { name: 'Playground' }).click()
      await expect.poll(() => balance.count()).toBe(0)
      await page.getByRole('link', { name: 'Console' }).click()
      await balance.waitFor()
      await page.waitForLoadState('networkidle')
      expect(pages()).toBe(3)
    },
  )

  chromiumOnly('writes what follows a name from left to right, whatever the name', async () => {
    const RIGHT_TO_LEFT = '\u202E'
    const { page } = await open('/console', {
      before: page =>
        page.route('**/v1/account', async route => {
          const response = await route.fetch()
          const account = await response.json()
          const { key, name } = account
          const named = {
            name: `${RIGHT_TO_LEFT}${name}`,
            key: { ...key, name: `${RIGHT_TO_LEFT}${key.name}` },
          }
          await route.fulfill({ response, json: { ...account, ...named } })
        }),
    })
    const overview = page.getByRole('region', { name: 'Overview' })
    const left = (text: string) =>
      overview.evaluate((element, text) => {
        const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
        while (nodes.nextNode()) {
          const { currentNode } = nodes
          const at = currentNode.textContent?.indexOf(text) ?? -1
          if (at < 0) continue
          const range = document.createRange()
          range.setStart(currentNode, at)
          range.setEnd(currentNode, at + 1)
          return range.getBoundingClientRect().left
        }
        throw new Error(`There is no ${text}.`)
      }, text)
    await overview.waitFor()
    expect(await left('acct_')).toBeLessThan(await left('verified'))
    expect(await left('“')).toBeLessThan(await left('”'))
    expect(await left('acct_')).toBeLessThan(await left(inject('service').keys.account.slice(5)))
  })

  it('keeps the playground’s state and questions while it is open', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByLabel('State, text').fill('My parcel is lost')
    await page.getByRole('link', { name: 'Console' }).click()
    await page.getByText('Balance').waitFor()
    expect(await page.title()).toBe('Console · Decider')
    await page.goBack()
    await answerTo(page, 'team').waitFor()
    expect(await page.getByLabel('State, text').inputValue()).toBe('My parcel is lost')
  })
})

/** The usage of two days: the first as given, and one on which nothing was asked. */
const usageWith = (first: Partial<AccountUsage['data'][number]>) => {
  const none = {
    requests: 0,
    input_tokens: 0,
    cached_tokens: 0,
    cost_usd: '0.00',
    cost_nanodollars: 0,
    latency_ms: null,
    errors: {},
  }
  const data = [
    { ...none, day: '2026-11-02' },
    { ...none, day: '2026-11-01', ...first },
  ]
  return { object: 'account.usage', data }
}
