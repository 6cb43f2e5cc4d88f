import type { Page } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import {
  buttonSaying,
  chromiumOnly,
  clipboard,
  enterKey,
  settled,
  takeSample,
  useBrowser,
  writeQuestions,
} from './browser.ts'

const open = useBrowser()

describe('the key in use', () => {
  it('is shown by its first characters, and the local one can be copied for a shell', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByRole('button', { name: 'Local playground key' }).click()
    const { playground, standard } = inject('service').keys
    await page.getByText(`${playground.slice(0, 15)}…`).waitFor()
    const copy = page.getByRole('button', { name: 'Copy export DECIDER_API_KEY=…' })
    await copy.click()
    await buttonSaying(page, 'Copied').waitFor()
    expect(await clipboard(page)).toBe(`export DECIDER_API_KEY=${playground}`)
    await page.getByLabel('Key', { exact: true }).fill(standard)
    await page.getByRole('button', { name: 'Use this key' }).click()
    await page.getByRole('button', { name: 'API key set' }).click()
    await page.getByText(`${standard.slice(0, 15)}…`).waitFor()
    expect(await copy.count()).toBe(0)
  })

  chromiumOnly('is asked for in a dialog, behind which the shortcut of Run asks nothing', async () => {
    const { page, requests } = await open('/')
    await settled(page)
    const before = requests.length
    await page.getByRole('button', { name: 'Local playground key' }).click()
    await page.getByRole('button', { name: 'Cancel' }).focus()
    await page.keyboard.press('Control+Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(requests.slice(before)).toEqual([])
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => requests.length).toBe(before + 1)
  })

  chromiumOnly('is not kept in the dialog if it was typed and then cancelled', async () => {
    const { page } = await open('/')
    await settled(page)
    const field = page.getByRole('dialog').getByLabel('Key', { exact: true })
    for (const leave of [() => page.keyboard.press('Escape'), () => page.getByText('Cancel').click()]) {
      await page.getByRole('button', { name: 'Local playground key' }).click()
      expect(await field.inputValue()).toBe('')
      await field.fill('sk_decider_half')
      await leave()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: 'Local playground key' }).click()
    expect(await field.inputValue()).toBe('')
  })

  chromiumOnly('is asked for where the answers would be as long as there is none', async () => {
    const { page } = await open('/', {
      before: page => page.route('**/dev/playground-key', route => route.fulfill({ status: 404 })),
    })
    await page.getByRole('button', { name: 'Enter an API key' }).click()
    expect(await page.locator('.ghost').count()).toBe(0)
    await page.getByRole('heading', { name: 'API key' }).waitFor()
  })
})

describe('a key that was copied', () => {
  const enter = async (page: Page, typed: string) => {
    await settled(page)
    await enterKey(page, typed)
  }

  chromiumOnly('is accepted with stray white space around it, even invisible characters', async () => {
    const opened = await open('/')
    const { standard } = inject('service').keys
    await enter(opened.page, ` \u200b${standard.slice(0, 20)} ${standard.slice(20)}\u2060 `)
    await opened.page.getByRole('button', { name: 'API key set' }).waitFor()
    await opened.page.getByLabel('State, text').fill('The parcel is lost')
    await opened.page.keyboard.press('Control+Enter')
    await settled(opened.page)
    expect(await opened.page.getByRole('alert').count()).toBe(0)
  })

  chromiumOnly('is refused before anything is sent if it cannot be a key', async () => {
    const { page } = await open('/')
    await enter(page, `“${inject('service').keys.standard}”`)
    await page.getByRole('alert').getByText('only letters, digits and underscores').waitFor()
    expect(await page.getByLabel('Key', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Local playground key' }).waitFor()
  })
})

describe('a key that the service refuses', () => {
  const REFUSED = 'sk_decider_nonsense'

  const use = (page: Page) => enterKey(page, REFUSED)
  const PAGES: Record<string, (page: Page) => Promise<unknown>> = {
    '/': use,
    '/calibration': async page => {
      await use(page)
      await takeSample(page)
      await page.getByRole('button', { name: 'Calibrate' }).click()
    },
    '/console': use,
  }

  chromiumOnly.each(Object.keys(PAGES))(
    'can be replaced where %s says so, which then says it no longer',
    async path => {
      const { page } = await open(path)
      await PAGES[path]?.(page)
      const alert = page.getByRole('alert')
      await alert.getByText('invalid_api_key').waitFor()
      expect(await page.getByRole('button', { name: 'API key refused' }).getAttribute('class')).toBe(
        'key missing',
      )
      // Nothing is asked of its own accord, which would clear the message too.
      if (path === '/') await page.getByLabel('As I type').uncheck()
      await alert.getByRole('button', { name: 'Enter another API key' }).focus()
      await page.keyboard.press('Enter')
      await page.getByText('which the service refuses').waitFor()
      await page.getByRole('dialog').getByLabel('Key', { exact: true }).fill(inject('service').keys.standard)
      await page.keyboard.press('Enter')
      await alert.waitFor({ state: 'detached' })
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('API key set')
    },
  )

  chromiumOnly('is replaced also where the console reads one of its parts', async () => {
    const { page } = await open('/console')
    await page.getByText('Balance').waitFor()
    const error = { code: 'invalid_api_key', message: 'This API key is not valid.' }
    await page.route(/\/v1\/(models|account\/activity)/, route =>
      route.fulfill({ status: 401, json: { error } }),
    )
    await page.getByLabel('Status').selectOption('200')
    await page.getByText('Snapshots and aliases').click()
    const another = page.getByRole('alert').getByRole('button', { name: 'Enter another API key' })
    await expect.poll(() => another.count()).toBe(2)
  })

  chromiumOnly('is not to blame for another mistake', async () => {
    const { page } = await open('/')
    await settled(page)
    await use(page)
    await page.getByRole('alert').getByText('invalid_api_key').waitFor()
    await writeQuestions(page, '{"a": }')
    await page.getByRole('alert').getByText('not valid JSON').waitFor()
    expect(await page.getByRole('button', { name: 'Enter another API key' }).count()).toBe(0)
  })
})

describe('an account that has used up its balance', () => {
  chromiumOnly.each(['/', '/calibration'])('is not said on %s of the account of the next key', async path => {
    const { page } = await open(path)
    const error = { code: 'insufficient_credits', message: 'The prepaid balance is used up.' }
    await page.route(/\/v1\/(decisions|calibrations)$/, route =>
      route.fulfill({ status: 402, json: { error } }),
    )
    if (path === '/calibration') {
      await takeSample(page)
      await page.getByRole('button', { name: 'Calibrate' }).click()
    } else await page.getByRole('button', { name: 'Run' }).click()
    const alert = page.getByRole('alert').getByText('The prepaid balance is used up.')
    await alert.waitFor()
    if (path === '/') await page.getByLabel('As I type').uncheck()
    await enterKey(page, inject('service').keys.standard)
    await alert.waitFor({ state: 'detached', timeout: 5_000 })
  })
})

describe('a key entered where the page asked for it', () => {
  it.each(['/', '/console'])('leaves the focus beside it on %s, not at the top of the page', async path => {
    const { page } = await open(path, {
      before: page => page.route('**/dev/playground-key', route => route.fulfill({ status: 404 })),
    })
    const asking = page.getByRole('main').getByRole('button', { name: 'Enter an API key' })
    if (path === '/') await asking.click()
    await page
      .getByLabel('Key', { exact: true })
      .locator('visible=true')
      .fill(inject('service').keys.standard)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'API key set' }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('API key set')
  })
})
