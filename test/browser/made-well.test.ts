import { gzipSync } from 'node:zlib'
import axe from 'axe-core'
import type { Page, Response } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import { answerTo, chromiumOnly, enterKey, settled, useBrowser, wider, writeQuestions } from './browser.ts'

const open = useBrowser()

const FIRST_LOAD_MAX_BYTES = 150_000

describe('the first load', () => {
  it('stays under 150 KB compressed, with the editor and the charts left for later', async () => {
    const responses: Response[] = []
    const { page } = await open('/', {
      before: async page => page.on('response', response => responses.push(response)),
    })
    await page.waitForLoadState('networkidle')
    await settled(page)
    const files = responses.filter(response => !/\/(v1|dev)\//.test(response.url()))
    expect(files.length).toBeGreaterThan(3)
    let total = 0
    for (const file of files) {
      const body = await file.body()
      total += file.url().endsWith('.woff2') ? body.byteLength : gzipSync(body).byteLength
      expect(body.includes('CodeMirror') || body.includes('cm-content')).toBe(false)
    }
    expect(total).toBeLessThan(FIRST_LOAD_MAX_BYTES)
  })
})

describe('the policy', () => {
  it.each(['/', '/calibration', '/console'])(
    'of %s allows nothing but this origin and no inline code',
    async path => {
      const response = await fetch(inject('service').url + path)
      const policy = response.headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self'")
      expect(policy).not.toMatch(/unsafe|https?:|\*|data:|blob:/)
      expect(response.headers.get('referrer-policy')).toBe('no-referrer')
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(await response.text()).not.toMatch(/<style|style=|<script(?![^>]*\bsrc=)|\son\w+=/)
    },
  )

  it('keeps a stranger’s script from running', async () => {
    const { page, complaints } = await open('/')
    const ran = await page.evaluate(async () => {
      const refused = new Promise(resolve =>
        addEventListener('securitypolicyviolation', () => resolve(false)),
      )
      const script = document.createElement('script')
      script.textContent = 'window.ran = true'
      document.head.append(script)
      await refused
      return 'ran' in window
    })
    expect(ran).toBe(false)
    await expect.poll(() => complaints.splice(0).join()).toMatch(/script-src/)
  })

  it('answers an unknown path in the API’s own words', async () => {
    const response = await fetch(`${inject('service').url}/nothing-here`)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: 'not_found' } })
  })
})

describe('typed text', () => {
  it('is in no browser storage and in no address', async () => {
    const { page, requests } = await open('/')
    await settled(page)
    await page.getByLabel('State, text').fill('canary-7f3a about a refund')
    await page.keyboard.press('Control+Enter')
    await settled(page)
    await page.getByRole('link', { name: 'Console' }).click()
    await page.getByText('Balance').waitFor()
    await page.getByRole('link', { name: 'Playground' }).click()
    expect(await page.getByLabel('State, text').inputValue()).toContain('canary-7f3a')
    const kept = await page.evaluate(async () => ({
      local: localStorage.length,
      session: sessionStorage.length,
      cookies: document.cookie,
      databases: (await indexedDB.databases()).length,
      caches: (await caches.keys()).length,
      workers: (await navigator.serviceWorker.getRegistrations()).length,
      history: JSON.stringify(history.state),
      address: location.href,
    }))
    expect(kept).toEqual({
      local: 0,
      session: 0,
      cookies: '',
      databases: 0,
      caches: 0,
      workers: 0,
      history: 'null',
      address: `${inject('service').url}/`,
    })
    for (const { url, body } of requests) {
      expect(url).not.toContain('canary')
      if (!url.endsWith('/v1/decisions')) expect(body).toBe('')
    }
  })

  it('is gone after a reload, including a typed key', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByLabel('State, text').fill('canary-7f3a')
    await enterKey(page, inject('service').keys.standard)
    await page.reload()
    await settled(page)
    expect(await page.getByLabel('State, text').inputValue()).not.toContain('canary')
    await page.getByRole('button', { name: 'Local playground key' }).waitFor()
  })
})

describe('access', () => {
  const PLACES: Record<string, (page: Page) => Promise<unknown>> = {
    playground: page => settled(page),
    'playground with JSON and an error': async page => {
      await page.locator('.state .switch').getByLabel('JSON').check()
      await page.locator('.questions .switch').getByLabel('JSON').check()
      await page.locator('.state .cm-content').click()
      await page.keyboard.type('{')
      await page.locator('.state .field-error').waitFor()
    },
    'playground with 48 answers': async page => {
      await page.getByRole('button', { name: '48 questions' }).click()
      await page.getByRole('button', { name: /How does `Omar` feel/ }).click()
    },
    'playground with a menu and the key dialog': async page => {
      await settled(page)
      await page.getByText('Settings').click()
      await page.getByRole('button', { name: 'Local playground key' }).click()
    },
    calibration: async page => {
      await page.getByRole('link', { name: 'Calibration' }).click()
      await page.getByText('What an example looks like').click()
    },
    console: async page => {
      await page.getByRole('link', { name: 'Console' }).click()
      await page.getByText('Spend per day').first().waitFor()
    },
  }

  for (const colorScheme of ['light', 'dark'] as const) {
    chromiumOnly.each(Object.keys(PLACES))(`axe finds nothing in %s, ${colorScheme}`, async place => {
      const { page } = await open('/', { colorScheme, reducedMotion: 'reduce' })
      await page.getByRole('heading', { level: 1 }).waitFor()
      await PLACES[place]?.(page)
      await page.evaluate(axe.source)
      const violations = await page.evaluate(async () => {
        const results = await (window as unknown as { axe: typeof import('axe-core') }).axe.run()
        return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' | ')}`)
      })
      expect(violations).toEqual([])
    })
  }

  chromiumOnly('gives every button and disclosure a name of its own', async () => {
    const { page } = await open('/')
    await settled(page)
    const criteria = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`option ${at}`, null]))
    const choice = { type: 'choice', criteria }
    const score = { type: 'score', criteria: ['low', 'high'] }
    await writeQuestions(page, JSON.stringify({ one: choice, two: choice, three: score, four: score }))
    await page.locator('.questions .switch').getByLabel('Form').check()
    await page.getByRole('button', { name: 'Run' }).click()
    await answerTo(page, 'two').waitFor()
    expect(repeated(await namesIn(page))).toEqual([])
    await page.getByRole('link', { name: 'Console' }).click()
    await page.getByText('Spend per day').first().waitFor()
    expect(repeated(await namesIn(page))).toEqual([])
  })

  it.each(['/', '/calibration', '/console'])('%s fits a screen 360 pixels wide', async path => {
    const { page } = await open(path, { viewport: { width: 360, height: 740 } })
    await page.getByRole('heading', { level: 1 }).waitFor()
    if (path === '/') await settled(page)
    if (path === '/console') await page.getByText('Spend per day').first().waitFor()
    expect(await wider(page)).toBe(0)
  })

  it('works by keyboard alone: skip the header, change the text, leave the editor, run, open an answer', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.keyboard.press('Tab')
    expect(await focused(page)).toContain('Skip to content')
    await page.keyboard.press('Tab')
    expect(await focused(page)).toContain('Skip to answers')
    await page.keyboard.press('Enter')
    await page.locator('.answers:focus').waitFor()
    await page.keyboard.press('Tab')
    expect(await focused(page)).toContain('not calibrated')
    await page.getByRole('link', { name: 'Skip to content' }).focus()
    await page.keyboard.press('Enter')
    await tabTo(page, 'Extraction check')
    await page.keyboard.press('Enter')
    await answerTo(page, 'supplier').waitFor()
    await page.locator('.state .cm-content').waitFor()
    await tabTo(page, 'State, JSON')
    // The editor lets Tab move the focus on.
    await tabTo(page, 'Form')
    await tabTo(page, 'Run')
    await page.keyboard.press('Enter')
    await settled(page)
    await tabTo(page, 'Settings')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Order invariant')
    await page.keyboard.press('Space')
    await page.keyboard.press('Escape')
    expect(await focused(page)).toContain('Settings')
    await settled(page)
  })

  chromiumOnly('follows the system’s colours until someone chooses', async () => {
    const { page } = await open('/', { colorScheme: 'dark' })
    const theme = () => page.locator('html').getAttribute('data-theme')
    await expect.poll(theme).toBe('dark')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(theme).toBe('light')
    await page.getByRole('button', { name: 'Use dark colours' }).click()
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.emulateMedia({ colorScheme: 'light' })
    await page.waitForTimeout(200)
    expect(await theme()).toBe('dark')
  })
})

const namesIn = (page: Page): Promise<string[]> =>
  page
    .locator('main :is(button, summary)')
    .evaluateAll(controls =>
      controls.map(control => control.getAttribute('aria-label') ?? control.textContent ?? ''),
    )

const repeated = (names: string[]): string[] => names.filter((name, at) => names.indexOf(name) !== at)

const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    let element = document.activeElement
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null
    return element?.getAttribute('aria-label') ?? label ?? element?.textContent ?? ''
  })

const tabTo = async (page: Page, name: string): Promise<void> => {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab')
    if ((await focused(page)).includes(name)) return
  }
  throw new Error(`Tab never reached ${name}.`)
}
