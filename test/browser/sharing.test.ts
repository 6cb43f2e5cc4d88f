import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import {
  answerTo,
  buttonSaying,
  clipboard,
  copiedBy,
  paste,
  settled,
  useBrowser,
  wider,
  writeQuestions,
} from './browser.ts'

const open = useBrowser()

describe('sharing', () => {
  it('carries the state and questions in the fragment, and sends nothing of them to the server', async () => {
    const first = await open('/')
    await settled(first.page)
    await first.page.getByLabel('State, text').fill('A secret about zebras')
    await first.page.locator('.questions').getByRole('button', { name: 'Remove team' }).click()
    const link = await copiedBy(first.page, 'Share link')
    expect(link).toContain('/#share=')
    expect(link).not.toContain('zebras')

    const second = await open(link.slice(inject('service').url.length))
    await answerTo(second.page, 'urgency').waitFor()
    await expect.poll(() => second.page.getByLabel('State, text').inputValue()).toBe('A secret about zebras')
    expect(await second.page.locator('.question').count()).toBe(2)
    for (const { url, body } of second.requests) {
      expect(url).not.toContain('share=')
      if (!url.endsWith('/v1/decisions')) expect(body).toBe('')
    }
  })

  it('carries a long text whole, whatever its letters', async () => {
    const first = await open('/')
    await settled(first.page)
    // Two bytes each, so that every second place is amid a letter.
    await first.page.getByLabel('State, text').fill(`x${'é'.repeat(40_000)}`)
    const link = await copiedBy(first.page, 'Share link')
    const second = await open(link.slice(inject('service').url.length))
    await second.page.locator('.state .editor.code .cm-content').waitFor()
    expect(await copiedBy(second.page, 'Share link')).toBe(link)
  })

  it('opens a link pasted into a tab that shows the playground, and leaving and returning changes nothing', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByLabel('State, text').fill('A story about zebras')
    const link = await copiedBy(page, 'Share link')
    await page.getByLabel('State, text').fill('Something else')
    // Only the fragment differs, so the document stays.
    await page.goto(link)
    const state = page.getByLabel('State, text')
    await expect.poll(() => state.inputValue()).toBe('A story about zebras')
    await settled(page)
    await state.fill('A story about zebras, and lions')
    await page.getByRole('link', { name: 'Console' }).click()
    await page.getByText('Balance').waitFor()
    await page.goBack()
    await state.waitFor()
    await settled(page)
    expect(await state.inputValue()).toBe('A story about zebras, and lions')
  })

  it('says when a language cannot express what is asked', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByText('Settings').click()
    await page.getByLabel('Order invariant').check()
    await page.getByText('Copy as').click()
    await page.getByRole('button', { name: 'TypeScript, OpenAI SDK' }).click()
    await buttonSaying(page, 'OpenAI’s API has no order invariance. Copy as curl.').waitFor()
  })

  it.each([
    ['an address', () => randomBytes(100_000).toString('hex')],
    ['the service', () => 'x'.repeat(4_000_000)],
  ])('says when a request is too long for %s', async (_, text) => {
    const { page } = await open('/')
    await settled(page)
    await page.getByLabel('State, text').focus()
    await paste(page, text())
    await page.locator('.state .cm-content:focus').waitFor()
    await page.getByRole('button', { name: 'Share link' }).click()
    await buttonSaying(page, 'This request is too long for a link.').waitFor()
  })

  it('says when there is nothing to share, even if the browser is slow to refuse', async () => {
    const { page } = await open('/')
    await settled(page)
    await writeQuestions(page, '{"a": }')
    await page.evaluate(() => {
      navigator.clipboard.write = () => new Promise((_, refuse) => setTimeout(refuse, 100))
    })
    await page.getByRole('button', { name: 'Share link' }).click()
    await buttonSaying(page, 'The questions are not valid JSON: expected a value.').waitFor()
  })

  it('says so long enough to be read, also just after something was copied', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByRole('button', { name: 'Share link' }).click()
    await buttonSaying(page, 'Copied').waitFor()
    await page.getByLabel('Id of question 2').fill('team')
    await buttonSaying(page, 'Copied').click()
    const refusal = buttonSaying(page, 'Two questions have this id.')
    await refusal.waitFor()
    await page.waitForTimeout(2_500)
    expect(await refusal.count()).toBe(1)
  })

  it('says so within a screen 320 pixels wide', async () => {
    const { page } = await open('/', { viewport: { width: 320, height: 640 } })
    await settled(page)
    await page.locator('.state .switch').getByLabel('JSON').check()
    await page.getByRole('textbox', { name: 'State, JSON' }).click()
    await page.keyboard.press('Control+A')
    await page.keyboard.press('Delete')
    await page.keyboard.insertText('{"a": 1 "b": 2}')
    await page.getByRole('button', { name: 'Share link' }).click()
    await buttonSaying(page, 'The state is not valid JSON').waitFor()
    expect(await wider(page)).toBe(0)
  })

  it.each([
    ['curl', 'curl -s'],
    ['TypeScript, TypeSafe SDK', "from '@typesafe-ai/sdk'"],
    ['TypeScript, OpenAI SDK', "from 'openai'"],
    ['Python', 'import requests'],
  ])('copies the request as %s, without the key', async (language, start) => {
    const { page } = await open('/')
    await settled(page)
    await page.getByText('Copy as').click()
    const code = await copiedBy(page, language)
    expect(code).toContain(start)
    expect(code).toContain('none_of_these')
    expect(code).toContain('DECIDER_API_KEY')
    expect(code).not.toContain('sk_decider_')
  })

  it('copies the request as a line to label, ready for a calibration file', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByText('Copy as').click()
    const copied = await copiedBy(page, 'Labelled example (JSON Lines)')
    expect(copied.indexOf('\n')).toBe(copied.length - 1)
    const { state, questions, ...more } = JSON.parse(copied)
    expect(state).toContain('48213')
    expect(Object.keys(questions)).toEqual(['team', 'wrote_before', 'urgency'])
    for (const question of Object.values<{ label: unknown }>(questions)) expect(question.label).toBe(null)
    expect(more).toEqual({})
  })

  it('copies the request id, and says so once to those who do not see the button change', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.evaluate(() => {
      const said: string[] = []
      Object.assign(window, { said })
      new MutationObserver(changes => {
        for (const { target } of changes) {
          const element = target instanceof Element ? target : target.parentElement
          const live = element?.closest('[aria-live=polite], [role=status], [role=alert]')
          if (live) said.push(live.textContent ?? '')
        }
      }).observe(document.body, { subtree: true, childList: true, characterData: true })
    })
    const copy = page.getByRole('button', { name: 'Copy the request id' })
    await copy.click()
    await buttonSaying(page, 'Copied').and(copy).waitFor()
    expect(await clipboard(page)).toMatch(/^req_[0-9a-f]{24}$/)
    await buttonSaying(page, 'copy').and(copy).waitFor()
    expect(await page.evaluate(() => Object(window).said.filter(Boolean))).toEqual(['Copied'])
  })

  // As a page over plain HTTP from another machine.
  const withoutClipboard = (page: Page) =>
    page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))

  it.each([
    ['#share=', ['Share link']],
    ['curl -s', ['Copy as', 'curl']],
  ])('copies where browsers offer a page no clipboard: %s', async (start, names) => {
    const { page } = await open('/')
    await settled(page)
    await page.getByLabel('As I type').uncheck()
    await withoutClipboard(page)
    for (const name of names) await page.getByText(name, { exact: true }).click()
    await buttonSaying(page, 'Copied').waitFor()
    const state = page.getByLabel('State, text')
    await state.fill('')
    await state.press('Control+V')
    await expect.poll(() => state.inputValue()).toContain(start)
  })

  it('says so if the browser does not allow copying', async () => {
    const { page } = await open('/')
    await settled(page)
    await withoutClipboard(page)
    await page.evaluate(() => {
      document.execCommand = () => false
    })
    await page.getByRole('button', { name: 'Share link' }).click()
    await buttonSaying(page, 'The browser did not allow copying').waitFor()
  })

  it.each([['Share link'], ['Copy as', 'curl']])(
    'copies even if a page may write only while it handles a click, as in Safari: %s',
    async (...names) => {
      const { page } = await open('/')
      await settled(page)
      await page.evaluate(() => {
        let pressed = false
        addEventListener('click', () => (pressed = true), { capture: true })
        addEventListener('click', () => setTimeout(() => (pressed = false)))
        for (const name of ['write', 'writeText'] as const) {
          const real = navigator.clipboard[name].bind(navigator.clipboard) as (what: unknown) => Promise<void>
          navigator.clipboard[name] = (what: unknown) =>
            pressed ? real(what) : Promise.reject(new DOMException('', 'NotAllowedError'))
        }
      })
      for (const name of names) await page.getByText(name, { exact: true }).click()
      await buttonSaying(page, 'Copied').waitFor({ timeout: 5_000 })
    },
  )
})
