// What a page shows when a part of it does not arrive: a release removed the file, or the connection broke.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { buttonSaying, chromiumOnly, holdUp, lastAsked, paste, settled, useBrowser } from './browser.ts'

const open = useBrowser()

/** Blocks the parts that are fetched on demand. What the document itself names has arrived by then. */
const missing = (page: Page): Promise<unknown> => page.route('**/assets/**', route => route.abort())

describe('a part that cannot be loaded', () => {
  it.each(['Calibration', 'Console'])('is reported on %s, which a click reloads', async name => {
    const { page } = await open('/')
    await settled(page)
    await missing(page)
    await page.getByRole('link', { name }).click()
    const alert = page.getByRole('alert')
    await alert.getByText('This page could not be loaded.').waitFor()
    await page.unroute('**/assets/**')
    await alert.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.title()).toContain(name)
  })

  it('leaves a plain text area for JSON, which shows its errors', async () => {
    const opened = await open('/')
    const { page } = opened
    await settled(page)
    await missing(page)
    await page.locator('.questions .switch').getByLabel('JSON').check()
    const area = page.getByLabel('Questions, JSON')
    await expect.poll(() => area.inputValue()).toContain('"wrote_before"')
    await area.fill('{"a": }')
    await page.locator('.questions .field-error').getByText('not valid JSON').waitFor()
    expect(await area.getAttribute('aria-invalid')).toBe('true')
    await area.fill('{"mended": {"type": "noul", "instructions": "The customer is angry"}}')
    await page.getByRole('article', { name: 'Answer to mended' }).waitFor()
    expect(lastAsked(opened)).toContain('"mended"')
  })

  it('leaves a text that grew long in place, with the caret in it', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByLabel('As I type').uncheck()
    await missing(page)
    const long = 'All work and no play. '.repeat(2_000)
    const area = page.getByLabel('State, text')
    for (const times of [1, 2]) {
      await area.click()
      await page.keyboard.press(times === 1 ? 'Control+A' : 'Control+End')
      await paste(page, long)
      await expect.poll(async () => (await area.inputValue()).length).toBe(long.length * times)
      await expect.poll(() => area.evaluate(element => element === document.activeElement)).toBe(true)
    }
  })

  chromiumOnly('is reported where the sample tickets were requested', async () => {
    const { page } = await open('/calibration')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await missing(page)
    const sample = page.getByRole('button', { name: 'Try 400 sample tickets' })
    await sample.click()
    await page.getByRole('alert').getByText('The sample tickets could not be loaded.').waitFor()
    await page.unroute('**/assets/**')
    await sample.click()
    await page.getByText('400 examples').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  chromiumOnly('is reported where an example was requested', async () => {
    const { page } = await open('/', { viewport: { width: 360, height: 740 } })
    await settled(page)
    await missing(page)
    const example = page.getByRole('button', { name: 'Notes of a call' })
    await example.click()
    await page.getByRole('alert').getByText('That example could not be loaded.').waitFor()
    await page.unroute('**/assets/**')
    await page.getByRole('button', { name: 'Ticket routing' }).click()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })

  it('is reported where a copy as code was requested, in words of the page', async () => {
    const { page } = await open('/')
    await settled(page)
    await missing(page)
    await page.getByText('Copy as', { exact: true }).click()
    await page.getByRole('button', { name: 'curl' }).click()
    await buttonSaying(page, 'This could not be loaded. Try again, or reload the page.').waitFor()
  })

  chromiumOnly('leaves the header on the reference, which says that it is loading', async () => {
    let release = () => {}
    const { page } = await open('/docs', {
      waitUntil: 'commit',
      before: async page => {
        release = await holdUp(page, '**/docs/scalar.js')
      },
    })
    await page.getByRole('status').getByText('Loading the reference …').waitFor()
    await page.getByRole('link', { name: 'Playground' }).waitFor()
    release()
    await page.getByText('Typed questions about a state.').first().waitFor()
    expect(await page.getByText('Loading the reference …').count()).toBe(0)
  })

  chromiumOnly('is reported in place of the reference', async () => {
    const { page } = await open('/docs', {
      before: page => page.route('**/docs/scalar.js', route => route.abort()),
    })
    await page.getByRole('alert').getByText('The reference could not be loaded').waitFor()
  })

  chromiumOnly('is reported if a shared link arrived incomplete', async () => {
    const { page } = await open('/#share=q1YqLk')
    await page.getByRole('alert').getByText('That link could not be read').waitFor()
    await settled(page)
    await page.getByRole('button', { name: 'Ticket routing' }).click()
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  })
})

describe('an answer that does not arrive', () => {
  chromiumOnly('can be asked for again by a device that was offline, as the page says', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.context().setOffline(true)
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('alert').getByText('This device is offline.').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
  })
})
