// Chromium, and a page of the running service in it.
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'

/** Debian's package; another Chromium by CHROMIUM. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

export type Opened = {
  page: Page
  /** Every address asked for, and what was sent there. */
  requests: { url: string; method: string; body: string }[]
  /** What the page complained about; a test that expects a complaint takes it out. */
  complaints: string[]
}

/**
 * A browser for the tests of a file. After each test its pages are closed, and none of them may have logged an
 * error, broken the page's policy or asked another host.
 */
export const useBrowser = () => {
  let browser: Browser
  let opened: Opened[] = []

  beforeAll(async () => {
    // Chromium has no sandbox for root, which is who runs tests in a container.
    const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    browser = await chromium.launch({ executablePath: CHROMIUM, args })
  })
  afterAll(() => browser.close())
  afterEach(async () => {
    const pages = opened
    opened = []
    for (const { page } of pages) await page.context().close()
    const { origin } = new URL(inject('service').url)
    for (const { complaints, requests } of pages) {
      expect(complaints).toEqual([])
      expect(requests.filter(({ url }) => !url.startsWith(`${origin}/`))).toEqual([])
    }
  })

  return async (path: string, options: BrowserContextOptions = {}): Promise<Opened> => {
    const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, ...options })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await context.newPage()
    const complaints: string[] = []
    const requests: Opened['requests'] = []
    page.on('pageerror', error => complaints.push(error.message))
    page.on('console', message => {
      // A refusal by the API is logged by the browser as a failed resource; the tests look at it elsewhere.
      const refusal = message.text().startsWith('Failed to load resource')
      if (message.type() === 'error' && !refusal) complaints.push(message.text())
    })
    page.on('request', request =>
      requests.push({ url: request.url(), method: request.method(), body: request.postData() ?? '' }),
    )
    const made: Opened = { page, requests, complaints }
    opened.push(made)
    await page.goto(inject('service').url + path)
    return made
  }
}

/** Waits until the answers on the page belong to what is on the desk. */
export const settled = async (page: Page): Promise<void> => {
  const fresh = page.locator('.verdicts:not(.stale)')
  try {
    await fresh.waitFor({ timeout: 20_000 })
  } catch {
    const seen = await page.getByRole('alert').allTextContents()
    throw new Error(`No answer; the page says: ${seen.join(' ') || 'nothing'}`)
  }
}

export const answerTo = (page: Page, id: string): Locator =>
  page.getByRole('article', { name: `Answer to ${id}` })

export const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

/** The last decision asked for by the page. */
export const lastAsked = (opened: Opened): string =>
  opened.requests.findLast(({ url }) => url.endsWith('/v1/decisions'))?.body ?? ''
