// What the user sees: nothing is pushed off the screen, and nothing depends on a colour that is not shown.
import { describe, expect, it } from 'vitest'
import { answerTo, chromiumOnly, settled, useBrowser, wider } from './browser.ts'

const open = useBrowser()

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

  it('fits the screen however long an id in an error is', async () => {
    const { page } = await open('/', { viewport: { width: 360, height: 740 } })
    await settled(page)
    await page.getByRole('button', { name: 'Expand team' }).click()
    await page.getByLabel('Id of question 1').fill('a_long_id_'.repeat(30))
    await page.getByLabel('Option 2 of').fill('billing')
    await page.getByRole('alert').getByText('Two options have the same name.').waitFor()
    expect(await wider(page)).toBe(0)
  })

  it('is dark from the start on a dark system, not only once its code has loaded', async () => {
    const { page } = await open('/favicon.svg', { colorScheme: 'dark' })
    await page.route('**/assets/*.js', route => route.abort())
    await page.goto(new URL('/', page.url()).href)
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
      await page.getByRole('button', { name: 'Moderation rubric' }).click()
      await answerTo(page, 'action').waitFor()
      if (width < 900) await page.getByRole('button', { name: 'Expand action' }).click()
      const cut = () =>
        page
          .locator('.question textarea')
          .evaluateAll(areas => areas.filter(area => area.scrollHeight > area.clientHeight).length)
      expect(await cut()).toBe(0)
      const instructions = page.getByLabel('Instructions of action')
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
    await page.getByText('Copied').waitFor()
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
    for (const place of [page.getByLabel('State, text'), option, named])
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
  })
})
