import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { calibrateSample, calibrationWith, holdUp, settled, useBrowser } from './browser.ts'

const open = useBrowser()

/** The name of the element that has the focus after a button is pressed by keyboard. */
const focusAfter = async (page: Page, name: string): Promise<string | null> => {
  await page.getByRole('button', { name, exact: true }).focus()
  await page.keyboard.press('Enter')
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? null)
}

/** What `focused` says after each key. */
const seenAfter = async <T>(page: Page, keys: string[], focused: () => Promise<T>): Promise<T[]> => {
  const seen: T[] = []
  for (const key of keys) {
    await page.keyboard.press(key)
    seen.push(await focused())
  }
  return seen
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
    expect(await focusAfter(page, 'Add a level to urgency')).toBe('Level 4 of urgency')
  })

  it('stays on the button that moves a question, even in a browser that would drop the focus', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.evaluate(() => Reflect.deleteProperty(Element.prototype, 'moveBefore'))
    expect(await focusAfter(page, 'Move urgency up')).toBe('Move urgency up')
    expect(await focusAfter(page, 'Move urgency down')).toBe('Move urgency down')
  })

  it.each([
    ['Add an option to team', 'Option 6 of team'],
    ['Add a level to urgency', 'Level 4 of urgency'],
    ['Add a yes / no question', 'Id of question 4'],
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

describe('the keyboard focus on a button that goes with what it did', () => {
  /** Presses a button by keyboard, waits until it is gone, and gives what then has the focus. */
  const heirOf = async (page: Page, name: string) => {
    const button = page.getByRole('button', { name })
    await button.focus()
    await page.keyboard.press('Enter')
    await button.waitFor({ state: 'detached' })
    return page.locator(':focus')
  }

  it('moves to the filters once they are cleared', async () => {
    const { page } = await open('/console')
    await page.getByLabel('Path').selectOption('/v1/decisions')
    const heir = await heirOf(page, 'Clear filters')
    expect(await heir.evaluate(element => element.closest('label')?.textContent)).toMatch(/^Status/)
  })

  it('moves to the list that has no older requests', async () => {
    const { page } = await open('/console', {
      before: page =>
        page.route('**/v1/account/activity?*', route => {
          const next_cursor = route.request().url().includes('cursor') ? null : 'c'
          return route.fulfill({ json: { object: 'list', data: [], next_cursor } })
        }),
    })
    const heir = await heirOf(page, 'Older requests')
    expect(await heir.getAttribute('aria-label')).toBe('Requests, newest first')
  })

  it.each(['Cancel', 'the end'])('moves from a calibration to what starts the next, after %s', async end => {
    const { page } = await open('/calibration')
    const release = await holdUp(page, '**/v1/calibrations', route =>
      route.fulfill({ json: calibrationWith('calp1.k.p') }),
    )
    await calibrateSample(page)
    const cancel = page.getByRole('button', { name: 'Cancel' })
    await cancel.focus()
    if (end === 'Cancel') await page.keyboard.press('Enter')
    else release()
    await cancel.waitFor({ state: 'detached' })
    expect(await page.locator(':focus').textContent()).toBe('Calibrate')
  })

  it('moves to the answers once the service gives some', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.route('**/v1/decisions', route => route.abort())
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByText('The service did not answer.').waitFor()
    await page.unroute('**/v1/decisions')
    const heir = await heirOf(page, 'Try again')
    expect(await heir.getAttribute('id')).toBe('answers')
  })
})

describe('the buttons of a question', () => {
  it('are one Tab stop, and the arrow keys move between them', async () => {
    const { page } = await open('/')
    await settled(page)
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
    await page.getByLabel('Type of wrote_before').focus()
    const keys = ['Tab', 'ArrowRight', 'End', 'ArrowRight', 'ArrowLeft', 'Tab', 'Shift+Tab']
    expect(await seenAfter(page, keys, focused)).toEqual([
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
  it('is reached and left with Tab, opened with Enter and closed with Escape', async () => {
    const { page } = await open('/')
    await settled(page)
    const focused = () =>
      page.evaluate(() => {
        const { activeElement: element } = document
        return element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element?.textContent
      })
    await page.getByLabel('As I type').focus()
    const keys = ['Tab', 'Tab', 'Enter', 'Tab', 'Escape', 'Tab', 'Shift+Tab', 'Shift+Tab']
    expect(await seenAfter(page, keys, focused)).toEqual([
      'Settings',
      'Copy as',
      'Copy as',
      'curl',
      'Copy as',
      'Share link',
      'Copy as',
      'Settings',
    ])
  })

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
