// Chromium or Firefox, and a page of the running service in it.
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  firefox,
  type Locator,
  type Page,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest'

/** Debian's packages; another by CHROMIUM or FIREFOX. */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr'

const inFirefox = process.env.BROWSER === 'firefox'

/** For what can be arranged or seen in Chromium alone: colours of the system, costs, requests given up or held. */
export const chromiumOnly = it.skipIf(inFirefox)

const launch = (): Promise<Browser> => {
  // A Firefox as it comes, driven over WebDriver BiDi.
  if (inFirefox) return firefox.launch({ executablePath: FIREFOX, channel: 'moz-firefox' })
  // Chromium has no sandbox for root, which is who runs tests in a container.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  return chromium.launch({ executablePath: CHROMIUM, args })
}

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
    browser = await launch()
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
    const complaints: string[] = []
    const requests: Opened['requests'] = []
    if (inFirefox) await tellPosts(context, requests)
    else await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await context.newPage()
    const complain = (text: string): void => {
      // A refusal by the API is logged by the browser as a failed resource, and by Firefox each `eval` that the policy
      // stops, though it was only tried; the tests look at them elsewhere.
      if (!/^Failed to load resource|Missing 'unsafe-eval'/.test(text)) complaints.push(text)
    }
    page.on('pageerror', error => complain(error.message))
    page.on('console', message => message.type() === 'error' && complain(message.text()))
    page.on('request', request => {
      const method = request.method()
      const isTold = inFirefox && method === 'POST'
      if (!isTold) requests.push({ url: request.url(), method, body: request.postData() ?? '' })
    })
    const made: Opened = { page, requests, complaints }
    opened.push(made)
    await page.goto(inject('service').url + path)
    return made
  }
}

/** What a page sends is not told over BiDi: it tells it itself. */
const tellPosts = async (context: BrowserContext, requests: Opened['requests']): Promise<void> => {
  await context.exposeFunction('tell', (request: Opened['requests'][number]) => requests.push(request))
  await context.addInitScript(() => {
    const ask = fetch
    globalThis.fetch = (address, init = {}) => {
      const { method, body } = init
      const url = new URL(String(address), location.href).href
      if (method === 'POST') Object(globalThis).tell({ url, method, body: String(body ?? '') })
      return ask(address, init)
    }
  })
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

/** By how much the page is wider than its window. */
export const wider = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** In place of the questions, as JSON. */
export const writeQuestions = async (page: Page, text: string): Promise<void> => {
  await page.locator('.questions .switch').getByLabel('JSON').check()
  const editor = page.getByRole('textbox', { name: 'Questions, JSON' })
  await editor.click()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
}

export const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

/** The last decision asked for by the page. */
export const lastAsked = (opened: Opened): string =>
  opened.requests.findLast(({ url }) => url.endsWith('/v1/decisions'))?.body ?? ''
