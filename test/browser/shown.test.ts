// What the user sees: nothing is pushed off the screen, and nothing depends on a colour that is not shown.
import type { Locator, Page } from 'playwright-core'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { launchChromium } from '../../scripts/chromium.ts'
import {
  answerTo,
  buttonSaying,
  chromiumOnly,
  settled,
  useBrowser,
  wider,
  writeQuestions,
} from './browser.ts'

const open = useBrowser()

/** As a browser does that is told to show larger text. */
const doubleLetters = (page: Page): Promise<unknown> =>
  page.evaluate(() => {
    const { documentElement: root } = document
    root.style.fontSize = `${Number.parseFloat(getComputedStyle(root).fontSize) * 2}px`
  })

it.each([
  ['/', 'confidence'],
  ['/calibration', 'Try 400 sample tickets'],
  ['/console', 'Spend per day'],
  ['/docs', 'Typed questions about a state.'],
])('%s fits a screen 320 pixels wide with letters twice as large', async (path, text) => {
  const { page } = await open(path, { viewport: { width: 320, height: 640 } })
  await page.getByText(text).first().waitFor()
  await doubleLetters(page)
  expect(await wider(page)).toBe(0)
})

describe('the playground on screen', () => {
  it('fits the screen however long a word is', async () => {
    const { page } = await open('/', { viewport: { width: 360, height: 740 } })
    await settled(page)
    const word = 'https://example.com/'.padEnd(300, 'x')
    await page.getByRole('button', { name: 'Expand team' }).click()
    await page.getByLabel('Description of billing in team').fill(word)
    await page.getByRole('button', { name: 'Expand urgency' }).click()
    await page.getByLabel('Level 1 of urgency', { exact: true }).fill(word)
    await page.getByRole('button', { name: 'Expand wrote_before' }).click()
    await page.getByLabel('What yes means in wrote_before').fill(word)
    expect(await wider(page)).toBe(0)
  })

  it('breaks no word of an answer with letters twice as large on a screen 360 pixels wide', async () => {
    const { page } = await open('/', { viewport: { width: 360, height: 740 } })
    await settled(page)
    await doubleLetters(page)
    const lines = await page
      .locator('.headline strong')
      .evaluateAll(shown =>
        shown.map(
          element =>
            element.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(element).lineHeight),
        ),
      )
    expect(lines.map(Math.round)).toEqual([1, 1, 1])
  })

  it('fits the screen however long an id in an error is', async () => {
    const { page } = await open('/', { viewport: { width: 360, height: 740 } })
    await settled(page)
    await page.getByRole('button', { name: 'Expand team' }).click()
    await page.getByLabel('Id of question 1').fill('a_long_id_'.repeat(30))
    await page.getByLabel('Option 2 of').fill('billing')
    await page.getByRole('alert').getByText('Options 1 and 2 have the same name.').waitFor()
    expect(await wider(page)).toBe(0)
  })

  it('is dark from the start on a dark system, not only once its code has loaded', async () => {
    const { page } = await open('/', {
      colorScheme: 'dark',
      before: page => page.route('**/assets/*.js', route => route.abort()),
    })
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
    const before = await ground()
    await page.unroute('**/assets/*.js')
    await page.reload()
    await settled(page)
    expect(await ground()).toBe(before)
  })

  it.each([1360, 360])(
    'shows the whole text of each field in a browser without `field-sizing`, %d pixels wide',
    async width => {
      const { page } = await open('/', { viewport: { width, height: 900 } })
      await settled(page)
      await page.evaluate(() => {
        const sheet = new CSSStyleSheet()
        sheet.replaceSync('textarea { field-sizing: fixed !important }')
        document.adoptedStyleSheets = [sheet]
      })
      await page.getByRole('button', { name: 'Customer intent' }).click()
      await answerTo(page, 'intent').waitFor()
      if (width < 900) await page.getByRole('button', { name: 'Expand intent' }).click()
      const cut = () =>
        page
          .locator('.question textarea')
          .evaluateAll(areas => areas.filter(area => area.scrollHeight > area.clientHeight).length)
      expect(await cut()).toBe(0)
      const instructions = page.getByLabel('Instructions of intent')
      const before = (await instructions.boundingBox())?.height ?? 0
      await instructions.fill('A post is kept unless it attacks a person. '.repeat(3))
      expect(await cut()).toBe(0)
      await instructions.fill('Keep it?')
      expect((await instructions.boundingBox())?.height).toBeLessThanOrEqual(before)
    },
  )

  it('opens its menus within a screen 320 pixels wide', async () => {
    const { page } = await open('/', { viewport: { width: 320, height: 640 } })
    await settled(page)
    await page.getByLabel('State, text').fill('Lost')
    for (const menu of ['Settings', 'Copy as']) {
      await page.getByText(menu, { exact: true }).click()
      expect(await wider(page)).toBe(0)
    }
    await page.getByRole('button', { name: 'curl' }).click()
    await buttonSaying(page, 'Copied').waitFor()
  })

  it('leaves no end of a menu below a screen 300 pixels high, where the bar stays in view', async () => {
    const { page } = await open('/', { viewport: { width: 932, height: 300 } })
    await settled(page)
    for (const menu of ['Settings', 'Copy as']) {
      await page.getByText(menu, { exact: true }).click()
      await page.evaluate(() => scrollTo(0, 400))
      const bottom = (body: Element) => body.getBoundingClientRect().bottom
      expect(await page.locator('[open] .menu-body').evaluate(bottom)).toBeLessThanOrEqual(300)
    }
  })

  it('shows the id of an open question on a screen 320 pixels wide', async () => {
    const { page } = await open('/', { viewport: { width: 320, height: 640 } })
    await settled(page)
    await page.getByRole('button', { name: 'Expand wrote_before' }).click()
    const id = page.getByLabel('Id of question 2')
    expect(await id.evaluate(field => field.scrollWidth - field.clientWidth)).toBe(0)
    expect(await wider(page)).toBe(0)
  })

  it('shows the answers to the text of now in a browser that translates the page', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.evaluate(translate)
    await page.getByLabel('State, text').fill('The app crashes whenever I open its settings.')
    await answerTo(page, 'team').locator('.headline').getByText('technical').waitFor()
  })

  it('shows on a tablet how to remove an option, and no keyboard shortcut', async () => {
    const { page } = await open('/', {
      viewport: { width: 1024, height: 768 },
      hasTouch: true,
      isMobile: true,
    })
    await settled(page)
    const opacity = (button: Element) => Number(getComputedStyle(button).opacity)
    const remove = page.getByRole('button', { name: 'Remove option billing of team' })
    expect(await remove.evaluate(opacity)).toBe(1)
    expect(await page.locator('.kbd').isVisible()).toBe(false)
  })

  it.each([
    [1440, 900],
    [1024, 768],
    [390, 844],
  ])(
    'scrolls as one page to the end of the answers, with Run always in view, %d by %d',
    async (width, height) => {
      const { page } = await open('/', { viewport: { width, height } })
      await settled(page)
      const button = page.getByRole('button', { name: 'Run' })
      const visible = async (place: Locator) => {
        const box = await place.boundingBox()
        return box !== null && box.y >= 0 && box.y + box.height < height + 1
      }
      expect(await visible(button)).toBe(true)
      const scrolling = (element: Element) => element.scrollHeight > element.clientHeight
      expect(await page.locator('.answering').evaluate(scrolling)).toBe(false)
      await page.locator('.usage .ids').evaluate(end => end.scrollIntoView({ block: 'end' }))
      expect(await visible(page.locator('.usage .ids'))).toBe(true)
      expect(await visible(button)).toBe(true)
      // Not under the bar: the pixel at its middle is the button's.
      expect(await button.evaluate(isOnTop)).toBe(true)
    },
  )

  it('keeps Run and answers beside the last of many questions', async () => {
    const { page } = await open('/', { viewport: { width: 1024, height: 768 } })
    await page.getByRole('button', { name: '48 questions, one state' }).click()
    await page.locator('.answer-row').nth(47).waitFor()
    await page.getByLabel('Id of question 48').scrollIntoViewIfNeeded()
    expect(await page.getByRole('button', { name: 'Run' }).evaluate(isOnTop)).toBe(true)
    expect(await page.locator('.answer-row').last().evaluate(isOnTop)).toBe(true)
    await page.getByRole('button', { name: 'Ticket routing' }).click()
    await answerTo(page, 'team').waitFor()
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    for (const id of ['team', 'urgency'])
      await page.getByRole('button', { name: `Remove ${id}`, exact: true }).click()
    await answerTo(page, 'urgency').waitFor({ state: 'detached' })
    expect(await page.getByRole('heading', { name: 'Answers 1' }).evaluate(isOnTop)).toBe(true)
  })

  it('keeps what undoes a removal above the bar with Run on a screen 320 pixels wide', async () => {
    const { page } = await open('/', { viewport: { width: 320, height: 568 } })
    await settled(page)
    await page.getByRole('button', { name: 'Expand team' }).click()
    await page.getByRole('textbox', { name: 'Option 1 of team' }).fill('')
    await page.getByText('an option has no name: press Run when ready').waitFor()
    await page.getByRole('button', { name: 'Remove option shipping of team' }).click()
    const undo = page.getByRole('button', { name: 'Undo' })
    await expect.poll(() => undo.evaluate(isOnTop)).toBe(true)
  })

  it('keeps what is tabbed to from behind the bar with Run on a screen 320 pixels wide', async () => {
    const { page } = await open('/', { viewport: { width: 320, height: 568 } })
    await settled(page)
    await page.getByRole('button', { name: 'Expand team' }).click()
    const option = page.getByRole('textbox', { name: 'Option 1 of team' })
    await option.fill('')
    await page.getByText('an option has no name: press Run when ready').waitFor()
    await option.focus()
    const focused = page.locator(':focus')
    while ((await focused.getAttribute('aria-label')) !== 'Id of question 3') {
      await page.keyboard.press('Tab')
      expect(await focused.evaluate(isOnTop)).toBe(true)
    }
  })

  it('leads from the questions to the answers with one tap on a phone', async () => {
    const { page } = await open('/', { viewport: { width: 390, height: 844 } })
    await page.getByRole('button', { name: '48 questions, one state' }).click()
    await page.locator('.answer-row').nth(47).waitFor()
    const first = page.locator('.answer-row').first()
    expect(await first.evaluate(row => row.getBoundingClientRect().top > innerHeight)).toBe(true)
    await page.getByRole('link', { name: 'Answers', exact: true }).click()
    await expect.poll(() => first.evaluate(row => row.getBoundingClientRect().top)).toBeLessThan(844)
    expect(await page.getByRole('heading', { name: 'Answers 48' }).evaluate(isOnTop)).toBe(true)
  })

  it('says beside Run, in view, that a request was refused on a phone', async () => {
    const { page } = await open('/', { viewport: { width: 375, height: 667 } })
    await settled(page)
    const error = { code: 'insufficient_balance', message: 'The balance is used up.', param: null }
    await page.route('**/v1/decisions', route => route.fulfill({ status: 402, json: { error } }))
    await page.getByRole('button', { name: 'Run' }).click()
    const note = page.getByText('Refused: see Answers')
    await note.waitFor()
    expect(
      await page.getByRole('alert').evaluate(alert => alert.getBoundingClientRect().top),
    ).toBeGreaterThan(667)
    expect(await note.evaluate(isOnTop)).toBe(true)
    // The alert says more, and screen readers would say both.
    expect(await note.evaluate(element => element.closest('[role], [aria-live]'))).toBe(null)
    expect(await wider(page)).toBe(0)
    await page.unroute('**/v1/decisions')
    await page.getByRole('button', { name: 'Run' }).click()
    await note.waitFor({ state: 'detached' })
  })

  chromiumOnly('has fields on a touch screen that iOS does not enlarge', async () => {
    const { page } = await open('/', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    })
    await settled(page)
    for (const id of ['team', 'wrote_before', 'urgency'])
      await page.getByRole('button', { name: `Expand ${id}` }).click()
    const sizes = await page
      .locator('input:not([type=checkbox], [type=radio]), select, textarea')
      .evaluateAll(fields => fields.map(field => Number.parseFloat(getComputedStyle(field).fontSize)))
    expect(Math.min(...sizes)).toBe(16)
  })

  it('shows where there is something to fill in, before anyone points at it', async () => {
    const { page } = await open('/')
    await settled(page)
    const edges = await page
      .locator('.question :is(input, textarea)')
      .evaluateAll(fields => new Set(fields.map(field => getComputedStyle(field).borderBottomColor)).size)
    const edge = await page
      .getByLabel('Instructions of team')
      .evaluate(field => getComputedStyle(field).borderBottomColor)
    expect(edges).toBe(1)
    expect(edge).toBe('rgb(141, 135, 123)')
  })

  it('moves no answer when JSON is broken for a moment', async () => {
    const { page } = await open('/')
    await settled(page)
    const place = () =>
      answerTo(page, 'team').evaluate(answer => answer.getBoundingClientRect().top + scrollY)
    const before = await place()
    await writeQuestions(page, '{"a": }')
    await page.getByRole('alert').getByText('not valid JSON').waitFor()
    expect(await place()).toEqual(before)
  })

  it('moves nothing when another example has another caption', async () => {
    const { page } = await open('/', { viewport: { width: 1024, height: 768 } })
    await settled(page)
    const place = () => page.getByRole('heading', { name: 'State' }).boundingBox()
    const before = await place()
    for (const name of ['Notes of a call', 'Extraction check']) {
      await page.getByRole('button', { name, pressed: false }).click()
      await page.getByRole('button', { name, pressed: true }).waitFor()
      expect(await place()).toEqual(before)
    }
  })

  it.each([360, 700])('shows the key and the service’s name on one line, %d pixels wide', async width => {
    const { page } = await open('/', { viewport: { width, height: 740 } })
    const head = page.getByRole('banner')
    const top = async (name: string) => (await head.getByText(name, { exact: true }).boundingBox())?.y ?? 0
    await page.getByText('Local playground key').waitFor()
    expect(Math.abs((await top('Local playground key')) - (await top('Decider')))).toBeLessThan(12)
  })

  it('moves nothing next to Run while it asks', async () => {
    const { page } = await open('/')
    await settled(page)
    const place = () => page.getByLabel('As I type').boundingBox()
    const before = await place()
    await page.route('**/v1/decisions', () => {})
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('button', { name: 'Asking …' }).waitFor()
    expect(await place()).toEqual(before)
  })

  it('sets text in its own direction, including right to left, but not JSON', async () => {
    const { page } = await open('/')
    await settled(page)
    const option = page.getByLabel('Option 1 of team')
    await option.fill('الفواتير (billing)!')
    const named = page.getByRole('article', { name: 'Answer to team' }).getByText('الفواتير').last()
    await named.waitFor()
    const direction = (element: Element) => getComputedStyle(element).unicodeBidi
    const id = page.getByRole('heading', { name: 'team' })
    for (const place of [page.getByLabel('State, text'), option, named, id])
      expect(await place.evaluate(direction)).toBe('plaintext')
    await page.locator('.answers .switch').getByLabel('JSON').check()
    expect(await page.getByLabel('Response body').evaluate(direction)).not.toBe('plaintext')
  })

  chromiumOnly('shows what is chosen even if a contrast theme drops every background', async () => {
    const { page } = await open('/', { forcedColors: 'active' })
    await settled(page)
    const ground = (place: string) =>
      page
        .locator(place)
        .first()
        .evaluate(element => getComputedStyle(element).backgroundColor)
    const chosen = await ground('.questions .switch input:checked + span')
    expect(await ground('.questions .switch input:not(:checked) + span')).not.toBe(chosen)
    expect(await ground('.chip[aria-pressed="true"]')).toBe(chosen)
    expect(await ground('.chip[aria-pressed="false"]')).not.toBe(chosen)
    expect(await ground('.top nav a[aria-current="page"]')).toBe(chosen)
    const edge = (bar: Element) => getComputedStyle(bar).borderTopWidth
    expect(await page.locator('.fill').first().evaluate(edge)).toBe('1px')
    await page.getByText('Settings').click()
    await page.getByLabel('Order invariant').check()
    expect(await page.getByLabel('changed').evaluate(edge)).toBe('4px')
  })

  chromiumOnly('names the colours of a chart even if a contrast theme replaces all others', async () => {
    const { page } = await open('/console', { forcedColors: 'active' })
    const legend = page.getByRole('figure', { name: 'Latency of decisions' }).locator('.legend i')
    await legend.first().waitFor()
    const colours = await legend.evaluateAll(lines =>
      lines.map(line => getComputedStyle(line).borderTopColor),
    )
    expect(new Set(colours).size).toBe(3)
  })
})

describe('letters', () => {
  chromiumOnly('leave few answers below the bar with Run, which they make higher', async () => {
    const browser = await launchChromium('--blink-settings=defaultFontSize=32')
    onTestFinished(() => browser.close())
    const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } })
    await page.goto(inject('service').url)
    await settled(page)
    for (const id of ['team', 'urgency'])
      await page
        .locator('.questions')
        .getByRole('button', { name: `Remove ${id}`, exact: true })
        .click()
    await answerTo(page, 'urgency').waitFor({ state: 'detached' })
    for (let added = 0; added < 4; added++)
      await page.getByRole('button', { name: 'Add a choice question' }).click()
    await page.evaluate(() => scrollTo(0, 900))
    const edges = () =>
      page.evaluate(() => {
        const [bar, answers] = ['.run-bar', '#answers'].map(place =>
          document.querySelector(place)?.getBoundingClientRect(),
        )
        return { bar: bar?.bottom ?? 0, answers: answers?.top ?? 0 }
      })
    expect((await edges()).answers).toBeGreaterThanOrEqual((await edges()).bar)
  })

  chromiumOnly.for([
    [24, '22.5px'],
    [32, '30px'],
  ])('are as large as the browser is set to, and still fit a phone: %d', async ([size, shown]) => {
    const browser = await launchChromium(`--blink-settings=defaultFontSize=${size}`)
    onTestFinished(() => browser.close())
    const page = await browser.newPage({ viewport: { width: 360, height: 740 } })
    for (const path of ['/', '/calibration', '/console']) {
      await page.goto(inject('service').url + path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      if (path === '/') await settled(page)
      if (path === '/console') await page.getByRole('heading', { name: 'Activity' }).waitFor()
      expect(await page.evaluate(() => getComputedStyle(document.body).fontSize)).toBe(shown)
      expect(await wider(page)).toBe(0)
      const skip = page.getByRole('link', { name: 'Skip to content' })
      expect(await skip.evaluate(link => link.getBoundingClientRect().bottom)).toBeLessThanOrEqual(0)
    }
  })
})

/** Whether nothing covers the middle of an element. */
const isOnTop = (element: Element): boolean => {
  const { x, y, width, height } = element.getBoundingClientRect()
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}

/** Does as browsers do: puts a translation in the place of each text that may be translated. */
const translate = (): void => {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  while (texts.nextNode()) found.push(texts.currentNode as Text)
  for (const text of found) {
    if (text.parentElement?.translate !== true) continue
    const translation = document.createElement('font')
    translation.textContent = text.data
    text.replaceWith(translation)
  }
}
