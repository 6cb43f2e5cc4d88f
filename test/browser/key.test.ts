import type { Page } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import { clipboard, settled, useBrowser } from './browser.ts'

const open = useBrowser()

describe('the key in use', () => {
  it('is shown by its first characters, and the local one can be copied for a shell', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByRole('button', { name: 'Local playground key' }).click()
    const { playground, standard } = inject('service').keys
    await page.getByText(`${playground.slice(0, 15)}…`).waitFor()
    const copy = page.getByRole('button', { name: 'Copy export DECIDER_API_KEY=…' })
    await copy.click()
    await page.getByText('Copied').waitFor()
    expect(await clipboard(page)).toBe(`export DECIDER_API_KEY=${playground}`)
    await page.getByLabel('Key', { exact: true }).fill(standard)
    await page.getByRole('button', { name: 'Use this key' }).click()
    await page.getByRole('button', { name: 'API key set' }).click()
    await page.getByText(`${standard.slice(0, 15)}…`).waitFor()
    expect(await copy.count()).toBe(0)
  })

  it('is asked for where the answers would be as long as there is none', async () => {
    const { page } = await open('/favicon.svg')
    await page.route('**/dev/playground-key', route => route.fulfill({ status: 404 }))
    await page.goto(new URL('/', page.url()).href)
    await page.getByRole('button', { name: 'Enter an API key' }).click()
    expect(await page.locator('.ghost').count()).toBe(0)
    await page.getByRole('heading', { name: 'API key' }).waitFor()
  })
})

describe('a key that was copied', () => {
  const enter = async (page: Page, typed: string) => {
    await settled(page)
    await page.getByRole('button', { name: 'Local playground key' }).click()
    await page.getByLabel('Key', { exact: true }).fill(typed)
    await page.getByRole('button', { name: 'Use this key' }).click()
  }

  it('is accepted with stray white space around it, even invisible characters', async () => {
    const opened = await open('/')
    const { standard } = inject('service').keys
    await enter(opened.page, ` \u200b${standard.slice(0, 20)} ${standard.slice(20)}\u2060 `)
    await opened.page.getByRole('button', { name: 'API key set' }).waitFor()
    await opened.page.getByLabel('State, text').fill('The parcel is lost')
    await opened.page.keyboard.press('Control+Enter')
    await settled(opened.page)
    expect(await opened.page.getByRole('alert').count()).toBe(0)
  })

  it('is refused before anything is sent if it cannot be a key', async () => {
    const { page } = await open('/')
    await enter(page, `“${inject('service').keys.standard}”`)
    await page.getByRole('alert').getByText('only letters, digits and underscores').waitFor()
    expect(await page.getByLabel('Key', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Local playground key' }).waitFor()
  })
})
