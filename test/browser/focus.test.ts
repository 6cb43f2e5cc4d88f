import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { settled, useBrowser } from './browser.ts'

const open = useBrowser()

/** The name of the element that has the focus after a button is pressed by keyboard. */
const focusAfter = async (page: Page, name: string): Promise<string | null> => {
  await page.getByRole('button', { name, exact: true }).focus()
  await page.keyboard.press('Enter')
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null)
}

describe('the keyboard focus in the form', () => {
  it('stays nearby when the element that had it is removed', async () => {
    const { page } = await open('/')
    await settled(page)
    expect(await focusAfter(page, 'Remove option shipping of team')).toBe('Remove option technical of team')
    expect(await focusAfter(page, 'Remove option none_of_these of team')).toBe(
      'Remove option account of team',
    )
    expect(await focusAfter(page, 'Remove level 3 of urgency')).toBe('Remove level 2 of urgency')
    expect(await focusAfter(page, 'Remove wrote_before')).toBe('Remove urgency')
    expect(await focusAfter(page, 'Remove urgency')).toBe('Remove team')
    await focusAfter(page, 'Remove team')
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('choice')
  })

  it('stays on a button that can do no more, and moves to a level that is added', async () => {
    const { page } = await open('/')
    await settled(page)
    expect(await focusAfter(page, 'Move urgency up')).toBe('Move urgency up')
    expect(await focusAfter(page, 'Move urgency up')).toBe('Move urgency up')
    expect(await focusAfter(page, 'Move urgency up')).toBe('Move urgency up')
    expect(await page.getByLabel('Id of question 1').inputValue()).toBe('urgency')
    expect(await focusAfter(page, 'Add a level')).toBe('Level 4 of urgency')
  })

  it('stays on the button that moves a question, even in a browser that would drop the focus', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.evaluate(() => Reflect.deleteProperty(Element.prototype, 'moveBefore'))
    expect(await focusAfter(page, 'Move urgency up')).toBe('Move urgency up')
    expect(await focusAfter(page, 'Move urgency down')).toBe('Move urgency down')
  })

  it.each([
    ['Add an option', 'Option 6 of team'],
    ['Add a level', 'Level 4 of urgency'],
    ['yes / no', 'Id of question 4'],
    ['Remove urgency', 'Remove wrote_before'],
  ])('is in place before the next key press, after %s', async (name, place) => {
    const { page } = await open('/')
    await settled(page)
    const there = await page.getByRole('button', { name, exact: true }).evaluate(async button => {
      ;(button as HTMLElement).click()
      // The page has rendered by now, and no key press can have arrived.
      await Promise.resolve()
      return document.activeElement?.getAttribute('aria-label')
    })
    expect(there).toBe(place)
  })
})

describe('the buttons of a question', () => {
  it('are one Tab stop, and the arrow keys move between them', async () => {
    const { page } = await open('/')
    await settled(page)
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await page.getByLabel('Type of wrote_before').focus()
    const seen: (string | null | undefined)[] = []
    for (const key of ['Tab', 'ArrowRight', 'End', 'ArrowRight', 'ArrowLeft', 'Tab', 'Shift+Tab']) {
      await page.keyboard.press(key)
      seen.push(await focused())
    }
    expect(seen).toEqual([
      'Move wrote_before up',
      'Move wrote_before down',
      'Remove wrote_before',
      'Move wrote_before up',
      'Remove wrote_before',
      'Instructions of wrote_before',
      'Remove wrote_before',
    ])
  })
})

describe('a link to another page', () => {
  it.each(['Calibration', 'Console'])('moves the focus to the heading of %s, and back', async name => {
    const { page } = await open('/')
    await settled(page)
    for (const link of [name, 'Playground']) {
      await page.getByRole('link', { name: link }).focus()
      await page.keyboard.press('Enter')
      await page.locator('h1:focus').waitFor()
      expect(await page.getByRole('link', { name: link }).getAttribute('aria-current')).toBe('page')
    }
  })
})

describe('a menu', () => {
  it('stays open after a click inside it that takes no focus, and closes after a click elsewhere', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByText('Settings', { exact: true }).click()
    const panel = page.locator('.settings .menu-body')
    // Its edge. Safari gives no focus to a button either, and Chromium 150 crashes if a menu closes under a click.
    await panel.click({ position: { x: 100, y: 4 } })
    expect(await panel.isVisible()).toBe(true)
    await page.getByRole('heading', { level: 1 }).click()
    expect(await panel.isVisible()).toBe(false)
  })
})
