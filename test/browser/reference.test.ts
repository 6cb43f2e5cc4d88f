import { describe, expect, inject, it } from 'vitest'
import { chromiumOnly, useBrowser, wider } from './browser.ts'

// `useBrowser` also fails a test whose page broke its policy or made a request to another host.
const open = useBrowser()

describe('the reference at /docs', () => {
  it('shows the routes of the service’s own document, from this origin only', async () => {
    const { page, requests } = await open('/docs')
    await page.getByRole('heading', { name: 'Decider', exact: true }).waitFor()
    await page.getByText('Typed questions about a state.').first().waitFor()
    const text = (await page.locator('#reference').textContent()) ?? ''
    for (const path of ['/v1/decisions', '/v1/calibrations']) expect(text).toContain(path)
    expect(requests.map(({ url }) => new URL(url).pathname)).toContain('/openapi.json')
  })

  it('uses the name Models only for models, and links back to the playground', async () => {
    const { page } = await open('/docs')
    await page.getByText('Typed questions about a state.').first().waitFor()
    const sidebar = page.getByRole('complementary', { name: /^Sidebar/ })
    await sidebar.getByText('Schemas', { exact: true }).first().waitFor()
    expect(await sidebar.getByText('Models', { exact: true }).count()).toBe(1)
    await page.getByRole('link', { name: 'playground', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: /^Ask a text/ }).waitFor()
  })

  chromiumOnly('has the app’s header, opens in the theme chosen there, and takes it back', async () => {
    const { page } = await open('/', { colorScheme: 'light' })
    await page.getByRole('button', { name: 'Use dark colours' }).click()
    const opened = page.context().waitForEvent('page')
    await page.getByRole('banner').getByRole('link', { name: 'Reference' }).click()
    const reference = await opened
    await reference.getByText('Typed questions about a state.').first().waitFor()
    await reference.locator('body.dark-mode').waitFor()
    await reference.getByRole('button', { name: 'Use light colours' }).click()
    await reference.locator('body.light-mode').waitFor()
    await reference.emulateMedia({ colorScheme: 'dark' })
    await reference.getByRole('link', { name: 'Console' }).click()
    await reference.getByRole('heading', { level: 1, name: 'Console' }).waitFor()
    expect(await reference.locator('html').getAttribute('data-theme')).toBe('light')
  })

  it('shows where to go on a phone, too', async () => {
    const { page } = await open('/docs', { viewport: { width: 360, height: 740 } })
    await page.getByText('Typed questions about a state.').first().waitFor()
    expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()).toEqual(
      ['Playground', 'Calibration', 'Console', 'Reference'],
    )
    expect(await wider(page)).toBe(0)
  })

  it('offers requests in curl, JavaScript and Python, and in nothing else', async () => {
    const { page } = await open('/docs')
    await page.getByText('Client Libraries').waitFor()
    await page.getByRole('button', { name: 'More' }).first().click()
    const offered = page.getByRole('listbox').getByRole('option')
    await expect
      .poll(async () => (await offered.allTextContents()).toSorted())
      .toEqual(['Curl', 'Fetch', 'Requests'])
  })

  chromiumOnly('shows requests whose fields the service takes', async () => {
    const { page } = await open('/docs#tag/calibration/POST/v1/calibrations')
    const shown = (text: string) => page.locator('pre').filter({ hasText: text }).first()
    const model = shown('"model": "decider-1"')
    await model.and(shown('"target_error": 0.1')).and(shown('"offsets": false')).waitFor()
    await page.goto(`${inject('service').url}/docs#tag/compatible-apis/GET/openai/v1/models/{model}`)
    await page.reload()
    await shown('/openai/v1/models/decider-1').waitFor()
  })

  chromiumOnly('searches in the fonts of the page', async () => {
    const { page } = await open('/docs')
    await page.getByText('Typed questions about a state.').first().waitFor()
    await page.keyboard.press('Control+k')
    const search = page.getByRole('dialog').getByLabel('Enter search query')
    const font = () => search.evaluate(element => getComputedStyle(element).fontFamily)
    await expect.poll(font).toContain('Geist Variable')
  })

  it('is shown in a browser that stores nothing for pages', async () => {
    const { page } = await open('/docs', {
      before: page =>
        page.addInitScript(() =>
          Object.defineProperty(window, 'localStorage', {
            configurable: true,
            get: () => {
              throw new DOMException('Cookies are blocked.', 'SecurityError')
            },
          }),
        ),
    })
    await page.getByText('Typed questions about a state.').first().waitFor()
  })

  it('runs no code except files from this origin', async () => {
    const response = await fetch(`${inject('service').url}/docs`)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'; script-src 'self';")
    expect(policy).toContain("connect-src 'self'")
    expect(await response.text()).not.toMatch(/<script(?![^>]*\bsrc="\/)/)
  })
})
