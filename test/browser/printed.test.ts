// A page on paper: the ink is dark, nothing scrolls, and browsers leave out backgrounds unless told otherwise.
import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { answerTo, chromiumOnly, settled, useBrowser, writeQuestions } from './browser.ts'

const open = useBrowser()

/** A4 without its margins. */
const PAGE = { width: 718, height: 1047 }

const asPrinted = async (page: Page): Promise<void> => {
  await page.emulateMedia({ media: 'print' })
  await page.setViewportSize(PAGE)
}

const styleOf = (element: Locator, property: string): Promise<string> =>
  element.first().evaluate((one, name) => getComputedStyle(one).getPropertyValue(name), property)

describe('a printed page', () => {
  chromiumOnly(
    'is dark on light even where the screen is not, and keeps the bars of its answers',
    async () => {
      const { page } = await open('/', { colorScheme: 'dark' })
      await settled(page)
      expect(await styleOf(page.locator('body'), 'color')).toBe('rgb(236, 235, 230)')
      await asPrinted(page)
      expect(await styleOf(page.locator('body'), 'color')).toBe('rgb(29, 28, 26)')
      expect(await styleOf(page.locator('.answer .fill'), 'print-color-adjust')).toBe('exact')
      expect(await styleOf(answerTo(page, 'team'), 'break-inside')).toBe('avoid')
    },
  )

  chromiumOnly('shows the whole of each table, and each chart on one sheet', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByRole('link', { name: 'Console' }).click()
    await page.getByRole('cell', { name: /^req_/ }).first().waitFor()
    await asPrinted(page)
    expect(await styleOf(page.locator('.plot'), 'break-inside')).toBe('avoid')
    expect(await styleOf(page.locator('.charts'), 'display')).toBe('block')
    await page.locator('details.figures summary').evaluateAll(all => {
      for (const summary of all) (summary as HTMLElement).click()
    })
    const cut = await page
      .locator('.scroll')
      .evaluateAll(tables =>
        tables
          .filter(t => t.scrollWidth > t.clientWidth || t.scrollHeight > t.clientHeight)
          .map(t => t.ariaLabel),
      )
    expect(cut).toEqual([])
  })

  chromiumOnly('shows a text as far as a page goes, and the whole of any JSON', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByLabel('As I type').uncheck()
    const lines = (count: number) => 'A line of a story.\n'.repeat(count)
    await page.getByLabel('State, text').fill(lines(35))
    await writeQuestions(page, `[${'\n'.repeat(80)}]`)
    const hides = (place: Locator) => place.evaluate(one => one.scrollHeight > one.clientHeight)
    const places = [page.getByLabel('State, text'), page.locator('.questions .cm-scroller')]
    for (const place of places) expect(await hides(place)).toBe(true)
    await asPrinted(page)
    for (const place of places) expect(await hides(place)).toBe(false)
    await page.getByLabel('State, text').fill(lines(100))
    const { height } = (await page.getByLabel('State, text').boundingBox()) ?? { height: Infinity }
    expect(height).toBeLessThan(PAGE.height)
  })
})
