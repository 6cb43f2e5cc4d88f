// One thing is requested, then another, and the first arrives last.
import type { Page, Route } from 'playwright-core'
import { describe, expect, inject } from 'vitest'
import {
  answerTo,
  chooseFile,
  chromiumOnly,
  copiedBy,
  enterKey,
  holdUp,
  settled,
  takeSample,
  useBrowser,
  writeQuestions,
} from './browser.ts'

const open = useBrowser()

/** Holds back requests for an address until `arrive` is called. That resolves once the response has arrived. */
const held = async (page: Page, address: RegExp): Promise<{ arrive: () => Promise<unknown> }> => {
  const release = await holdUp(page, address)
  return {
    arrive: async () => {
      const arrived = page.waitForResponse(address)
      release()
      await (await arrived).finished()
      await page.waitForTimeout(300)
    },
  }
}

const isRefused = (route: Route): Promise<void> =>
  route.fulfill({ status: 401, json: { error: { code: 'invalid_api_key', message: 'No such key' } } })

describe('a response that arrives after something else was chosen', () => {
  chromiumOnly('does not replace the newer choice, if it is an example', async () => {
    const { page } = await open('/')
    await settled(page)
    const late = await held(page, /\/call/)
    await page.getByRole('button', { name: 'Notes of a call' }).click()
    const chosen = page.getByRole('button', { name: 'An unsure answer', pressed: true })
    await page.getByRole('button', { name: 'An unsure answer' }).click()
    await chosen.waitFor()
    await late.arrive()
    expect(await chosen.count()).toBe(1)
  })

  chromiumOnly('does not replace what a link brought, if it is an example', async () => {
    const { page } = await open('/')
    await settled(page)
    const state = page.getByLabel('State, text')
    await state.fill('A story about zebras')
    const link = await copiedBy(page, 'Share link')
    await state.fill('Something else')
    const late = await held(page, /\/call/)
    await page.getByRole('button', { name: 'Notes of a call' }).click()
    await page.goto(link)
    await expect.poll(() => state.inputValue()).toBe('A story about zebras')
    await late.arrive()
    expect(await state.inputValue()).toBe('A story about zebras')
  })

  chromiumOnly('does not replace what was brought back, if it is an example', async () => {
    const { page } = await open('/')
    await settled(page)
    const state = page.getByLabel('State, text')
    await state.fill('A story about zebras')
    await page.getByRole('button', { name: 'An unsure answer' }).click()
    await expect.poll(() => state.inputValue()).not.toContain('zebras')
    const late = await held(page, /\/call/)
    await page.getByRole('button', { name: 'Notes of a call' }).click()
    await page.getByRole('button', { name: 'Bring back what I wrote' }).click()
    await expect.poll(() => state.inputValue()).toBe('A story about zebras')
    await late.arrive()
    expect(await state.inputValue()).toBe('A story about zebras')
  })

  chromiumOnly('does not replace a file, if it is the sample tickets', async () => {
    const { page } = await open('/calibration')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const late = await held(page, /\/support-tickets/)
    await page.getByRole('button', { name: 'Try 400 sample tickets' }).click()
    await chooseFile(page, 'own.jsonl', '{}')
    await page.getByText('own.jsonl').waitFor()
    await late.arrive()
    expect(await page.getByText('own.jsonl').count()).toBe(1)
  })

  chromiumOnly('does not replace newer figures of the account', async () => {
    const { page } = await open('/console')
    await page.getByText('Balance').waitFor()
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const gates = [first, second]
    await page.route(/\/v1\/account$/, async route => {
      const turn = gates.shift()
      const response = await route.fetch()
      const account = await response.json()
      await turn?.promise
      await route.fulfill({ json: { ...account, name: turn === first ? 'Earlier' : 'Later' } })
    })
    await page.getByRole('button', { name: 'Refresh' }).click()
    const again = page.getByRole('button', { name: 'Refreshing …' })
    await again.click()
    second.resolve()
    await page.getByText('Later').waitFor()
    const arrived = page.waitForResponse(/\/v1\/account$/)
    first.resolve()
    await (await arrived).finished()
    await page.waitForTimeout(300)
    expect(await page.getByText('Earlier').count()).toBe(0)
    expect(await again.count()).toBe(0)
  })

  chromiumOnly('is not added below a newer list, if it holds older requests', async () => {
    const { url, keys } = inject('service')
    const headers = { authorization: `Bearer ${keys.standard}` }
    for (let at = 0; at < 30; at++) await fetch(`${url}/v1/models`, { headers })
    const { page } = await open('/console')
    const rows = page.getByRole('table', { name: 'Requests, newest first' }).getByRole('row')
    await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(26)
    const late = await held(page, /\/activity\?.*cursor/)
    const older = page.getByRole('button', { name: 'Older requests' })
    await older.click()
    const anew = page.waitForResponse(/\/activity\?/)
    await page.getByRole('button', { name: 'Refresh' }).click()
    await anew
    await late.arrive()
    expect(await rows.count()).toBe(26)
    await older.click()
    await expect.poll(() => rows.count()).toBeGreaterThan(30)
  })

  chromiumOnly('does not replace a newer answer, if it is an answer', async () => {
    const { page } = await open('/')
    await settled(page)
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let isFirst = true
    await page.route(/\/v1\/decisions$/, async route => {
      const waits = isFirst
      isFirst = false
      if (waits) await released
      await route.continue()
    })
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('Asking …').waitFor()
    await writeQuestions(page, '{"newer": {"type": "noul", "instructions": "It rains"}}')
    const newer = answerTo(page, 'newer')
    await newer.waitFor()
    release()
    await page.waitForTimeout(1_000)
    expect(await newer.count()).toBe(1)
  })

  chromiumOnly('does not take away the message of a newer mistake, if it is an answer', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByLabel('As I type').uncheck()
    const release = await holdUp(page, /\/v1\/decisions$/)
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('Asking …').waitFor()
    await writeQuestions(page, '{')
    await page.keyboard.press('Control+Enter')
    const mistake = page.getByText('Not sent: see Answers')
    await mistake.waitFor()
    release()
    await page.waitForTimeout(1_000)
    expect(await mistake.count()).toBe(1)
  })

  chromiumOnly('is not held against another key, if it refuses the key that asked', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByLabel('As I type').uncheck()
    const release = await holdUp(page, /\/v1\/decisions$/, isRefused)
    await page.getByRole('button', { name: 'Run' }).click()
    await enterKey(page, inject('service').keys.standard)
    release()
    await page.waitForTimeout(300)
    expect(await page.getByText('No such key').count()).toBe(0)
    await page.getByText('Asking …').waitFor({ state: 'detached' })
  })

  chromiumOnly('is not held against another key, if it refuses the one that sent a calibration', async () => {
    const { page } = await open('/calibration')
    await takeSample(page)
    const release = await holdUp(page, /\/v1\/calibrations$/, isRefused)
    const run = page.locator('.run-calibration').getByRole('button')
    await run.click()
    await enterKey(page, inject('service').keys.standard)
    const arrived = page.waitForResponse(/\/v1\/calibrations$/)
    release()
    await (await arrived).finished()
    await page.waitForTimeout(300)
    expect(await page.getByText('No such key').count()).toBe(0)
    expect(await run.getAttribute('aria-disabled')).toBe('false')
  })

  chromiumOnly('is not asked for again with a forgotten key, if the service was too busy', async () => {
    const { page, requests } = await open('/')
    await settled(page)
    const tooMany = { status: 429, headers: { 'retry-after': '1' }, json: {} }
    await page.route(/\/v1\/decisions$/, route => route.fulfill(tooMany))
    const refused = page.waitForResponse(/\/v1\/decisions$/)
    await page.getByRole('button', { name: 'Run' }).click()
    await refused
    const asked = requests.length
    await page.locator('button.key').click()
    await page.getByRole('button', { name: 'Forget the key' }).click()
    await page.waitForTimeout(1500)
    expect(requests.length).toBe(asked)
  })
})
