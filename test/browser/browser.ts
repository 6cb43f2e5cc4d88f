// Chromium or Firefox with pages of the running service.
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  firefox,
  type Locator,
  type Page,
  type Route,
} from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest'
import { launchChromium } from '../../scripts/chromium.ts'
import type { CalibrationQuestionReport, CalibrationResponse } from '../../src/calibration/wire.ts'
import { usageOf } from '../../src/decision/usage.ts'

/** Debian's package, or the browser that FIREFOX names. */
const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr'

const inFirefox = process.env.BROWSER === 'firefox'

/**
 * For what our own code decides whatever the browser (what is said, asked and refused), and for what can be set up or
 * observed only in Chromium: system colours, costs, aborted and held requests. All else is tested in both.
 */
export const chromiumOnly = it.skipIf(inFirefox)

/** Firefox is unmodified, and driven over WebDriver BiDi. */
const launch = (): Promise<Browser> =>
  inFirefox ? firefox.launch({ executablePath: FIREFOX, channel: 'moz-firefox' }) : launchChromium()

type Options = BrowserContextOptions & {
  /** What must be arranged before the page makes its first request. */
  before?: (page: Page) => Promise<unknown>
  /** `commit` for a page whose files are held up. */
  waitUntil?: 'load' | 'commit'
}

type Opened = {
  page: Page
  /** Every address requested, and what was sent to it. */
  requests: { url: string; method: string; body: string }[]
  /** What the page complained about. A test that expects a complaint removes it. */
  complaints: string[]
}

/**
 * A browser for the tests of a file. After each test its pages are closed. The test fails if any of them logged an
 * error, broke the page's policy or made a request to another host.
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

  return async (path: string, { before, waitUntil = 'load', ...options }: Options = {}): Promise<Opened> => {
    const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, ...options })
    const complaints: string[] = []
    const requests: Opened['requests'] = []
    if (inFirefox) await tellPosts(context, requests)
    else await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await context.newPage()
    const complain = (text: string): void => {
      // Browsers log a refusal by the API as a failed resource, and Firefox logs each `eval` that the policy stops,
      // even if it was only tried. The tests check both elsewhere.
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
    await before?.(page)
    await page.goto(inject('service').url + path, { waitUntil })
    return made
  }
}

/** BiDi does not report what a page sends, so the page reports it itself. */
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

/** Waits until the answers on the page belong to the current state and questions. */
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

/** How many pixels the page is wider than its window. */
export const wider = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/** Replaces the questions with `text`, as JSON. */
export const writeQuestions = async (page: Page, text: string): Promise<void> => {
  await page.locator('.questions .switch').getByLabel('JSON').check()
  const editor = page.getByRole('textbox', { name: 'Questions, JSON' })
  await editor.click()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Delete')
  await page.keyboard.insertText(text)
}

/** Enters a key where the page has that of the local demo account. */
export const enterKey = async (page: Page, key: string): Promise<void> => {
  await page.getByRole('button', { name: 'Local playground key' }).click()
  await page.getByLabel('Key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Use this key' }).click()
}

/** Chooses a file of examples on the calibration page. */
export const chooseFile = (page: Page, name: string, content: string | number[]): Promise<void> =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) })

/** Takes the sample tickets on the calibration page. */
export const takeSample = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Try 400 sample tickets' }).click()
  await page.getByText('400 examples').waitFor()
}

/** Has the sample tickets calibrated, once there is a key. */
export const calibrateSample = async (page: Page): Promise<void> => {
  await page.locator('.key:not(.missing)').waitFor()
  await takeSample(page)
  await page.getByRole('button', { name: 'Calibrate' }).click()
}

export const paste = async (page: Page, text: string): Promise<void> => {
  await page.evaluate(copied => navigator.clipboard.writeText(copied), text)
  await page.keyboard.press('Control+V')
}

export const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText())

/** A button by what it shows at the moment. Its name, which screen readers say, may be another. */
export const buttonSaying = (page: Page, text: string): Locator => page.locator('button', { hasText: text })

/** What a button copies. */
export const copiedBy = async (page: Page, name: string): Promise<string> => {
  await page.getByRole('button', { name }).click()
  await buttonSaying(page, 'Copied').waitFor()
  return clipboard(page)
}

/** The bodies of the page's decision requests. */
export const decisionsIn = (requests: Opened['requests']): string[] =>
  requests.filter(({ url }) => url.endsWith('/v1/decisions')).map(({ body }) => body)

/** The body of the page's last decision request. */
export const lastAsked = ({ requests }: Opened): string => decisionsIn(requests).at(-1) ?? ''

/** Holds up requests for an address, and returns what releases them. Then they go on, or `then` says otherwise. */
export const holdUp = async (
  page: Page,
  address: string | RegExp,
  then: (route: Route) => Promise<void> = route => route.continue(),
): Promise<() => void> => {
  const released = Promise.withResolvers<void>()
  await page.route(address, async route => {
    await released.promise
    await then(route)
  })
  return released.resolve
}

/** What the service answers to a calibration. */
export const calibrationWith = (
  profile: string,
  ...questions: CalibrationQuestionReport[]
): CalibrationResponse => ({
  object: 'calibration',
  model: 'm',
  target_error: 0.05,
  profile,
  n_examples: 400,
  questions,
  note: '',
  usage: usageOf([]),
})
