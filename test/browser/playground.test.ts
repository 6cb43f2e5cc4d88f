import type { Page } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import {
  answerTo,
  chromiumOnly,
  decisionsIn,
  holdUp,
  lastAsked,
  settled,
  useBrowser,
  writeQuestions,
} from './browser.ts'

const open = useBrowser()

/** After this time the page has made any request that it makes on its own. */
const PAUSED_MS = 600

describe('the playground when opened', () => {
  chromiumOnly('says what the model cannot do', async () => {
    const { page } = await open('/')
    await page.getByText('cannot calculate').waitFor()
  })

  it('shows a worked example that is already answered, with the local key filled in', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByRole('button', { name: 'Local playground key' }).waitFor()
    const team = answerTo(page, 'team')
    expect(await team.locator('.headline strong').textContent()).toBe('billing')
    expect(await team.getByRole('row').count()).toBe(6)
    const cells = await team
      .getByRole('row', { name: /billing/ })
      .getByRole('cell')
      .allTextContents()
    expect(cells).toEqual([expect.stringMatching(/^\d+\.\d%$/)])
    expect(await team.textContent()).toMatch(/confidence \d\.\d\d/)
    expect(await page.getByRole('link', { name: 'not calibrated' }).count()).toBe(1)
    const usage = (await page.locator('.usage').textContent()) ?? ''
    expect(usage).toMatch(/decider-preview-\d{4}-\d\d-\d\d/)
    expect(usage).toMatch(/req_[0-9a-f]{24}/)
    expect(usage).toMatch(/\$0\.0\d+/)
    expect(usage).toMatch(/\d+ ms/)
  })

  chromiumOnly.each([
    ['Customer intent', 'intent', 4],
    ['Reviews as records', 'ines_topic', 6],
    ['Extraction check', 'supplier', 6],
    ['Notes of a call', 'industry', 8],
    ['An unsure answer', 'about', 3],
  ])('answers its example %s', async (name, id, count) => {
    const { page } = await open('/')
    await settled(page)
    await page.getByRole('button', { name }).click()
    await answerTo(page, id).waitFor()
    await settled(page)
    expect(await page.getByRole('article').count()).toBe(count)
  })

  chromiumOnly(
    'says of a score the likeliest level, which is the longest bar, and names the expected one',
    async () => {
      const { page } = await open('/')
      await settled(page)
      const urgency = answerTo(page, 'urgency')
      const said = await urgency.locator('.headline strong').textContent()
      expect(said).toBe('2 · today')
      expect(await urgency.locator('.likeliest .name').textContent()).toBe(said)
      expect(await urgency.textContent()).toMatch(/expected level 2\.\d\d of 3/)
    },
  )

  chromiumOnly('says that an answer is unsure, and writes it less boldly', async () => {
    const { page } = await open('/')
    await page.getByRole('button', { name: 'An unsure answer' }).click()
    const unsure = answerTo(page, 'team').filter({ hasText: 'unsure' })
    await unsure.waitFor()
    const weight = (headline: Element) => Number(getComputedStyle(headline).fontWeight)
    const [light, bold] = await Promise.all(
      [unsure, answerTo(page, 'about')].map(answer => answer.locator('.headline strong').evaluate(weight)),
    )
    expect(light).toBeLessThan(bold ?? 0)
    expect(await page.getByText('unsure', { exact: true }).count()).toBe(1)
  })

  chromiumOnly('asks with order invariance once the settings say so', async () => {
    const opened = await open('/')
    await settled(opened.page)
    await opened.page.getByText('Settings').click()
    await opened.page.getByLabel('Order invariant').check()
    await expect.poll(() => JSON.parse(lastAsked(opened))).toMatchObject({ order_invariant: true })
    await settled(opened.page)
  })

  chromiumOnly('lists 48 answers on one line each, with their bars on request', async () => {
    const { page } = await open('/')
    await page.getByRole('button', { name: '48 questions' }).click()
    const row = page.getByRole('button', { name: /How does `Omar` feel/ })
    await row.waitFor()
    expect(await page.locator('.answer-row').count()).toBe(48)
    await row.click()
    const detail = page.locator('.row-detail')
    expect(await detail.getByRole('row').count()).toBe(3)
    const colour = (bar: Element) => getComputedStyle(bar).backgroundColor
    const likeliest = await detail.locator('.likeliest .fill').evaluate(colour)
    expect(await detail.locator('tr:not(.likeliest) .fill').evaluate(colour)).not.toBe(likeliest)
  })

  chromiumOnly('draws an option called No like any other option, not as the answer no', async () => {
    const { page } = await open('/')
    await settled(page)
    const choice = { type: 'choice', instructions: 'Is it about volcanoes?', criteria: { No: null } }
    const noul = { type: 'noul', instructions: 'It is about volcanoes' }
    const others = Array.from({ length: 12 }, (_, index) => [`q${index}`, noul])
    await writeQuestions(page, JSON.stringify({ choice, ...Object.fromEntries(others) }))
    const fills = page.locator('.answer-row .bar .fill')
    await fills.nth(12).waitFor()
    expect(await fills.nth(0).getAttribute('class')).toBe('fill')
    expect(await fills.nth(1).getAttribute('class')).toBe('fill no')
  })

  it('brings back what was written by hand when an example has taken its place', async () => {
    const { page } = await open('/')
    await settled(page)
    const back = page.getByRole('button', { name: 'Bring back what I wrote' })
    await page.getByRole('button', { name: '48 questions' }).click()
    await page.locator('.answer-row').nth(47).waitFor()
    expect(await back.count()).toBe(0)
    await writeQuestions(page, '{"mine": {"type": "noul", "instructions": "It rains"}}')
    await answerTo(page, 'mine').waitFor()
    for (const name of ['Customer intent', 'Extraction check']) {
      await page.getByRole('button', { name }).click()
      await answerTo(page, 'mine').waitFor({ state: 'detached' })
    }
    await back.click()
    await answerTo(page, 'mine').waitFor()
    expect(await back.count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('chip')

    await page.locator('.questions .switch').getByLabel('Form').check()
    await page.getByLabel('Instructions of mine').fill('It snows')
    await page.getByRole('button', { name: 'Customer intent' }).click()
    await answerTo(page, 'mine').waitFor({ state: 'detached' })
    await back.click()
    await page.locator('.questions .switch').getByLabel('JSON').check()
    expect(await page.getByRole('textbox', { name: 'Questions, JSON' }).textContent()).toContain('It snows')
  })

  chromiumOnly(
    'brings back also what was made of an example by hand before something older replaced it',
    async () => {
      const { page } = await open('/')
      await settled(page)
      const back = page.getByRole('button', { name: 'Bring back what I wrote' })
      await writeQuestions(page, '{"older": {"type": "noul", "instructions": "It rains"}}')
      await answerTo(page, 'older').waitFor()
      await page.getByRole('button', { name: 'Customer intent' }).click()
      await answerTo(page, 'older').waitFor({ state: 'detached' })
      await writeQuestions(page, '{"newer": {"type": "noul", "instructions": "It snows"}}')
      await answerTo(page, 'newer').waitFor()
      await back.click()
      await answerTo(page, 'older').waitFor()
      await back.click()
      await answerTo(page, 'newer').waitFor()
    },
  )

  chromiumOnly('says that an answer abstains, also in a list of many', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.route('**/v1/decisions', async route => {
      const response = await route.fetch()
      const body = (await response.text()).replace('"abstain":null', '"abstain":true')
      await route.fulfill({ response, body })
    })
    await page.getByRole('button', { name: '48 questions' }).click()
    await page.locator('.answer-row').nth(47).waitFor()
    const abstaining = page.getByRole('button', {
      name: 'abstains: below the cutoff, or the profile has none',
    })
    expect(await abstaining.count()).toBe(1)
    expect(await page.getByRole('link', { name: '47 not calibrated' }).count()).toBe(1)
  })

  chromiumOnly('says of each answer that the profile set does not cover it', async () => {
    const { page } = await open('/')
    await settled(page)
    const uncovered = page.locator('.tag').getByText(/^not covered by the profile/)
    expect(await uncovered.count()).toBe(0)
    // As the service answers with a profile of other questions.
    await page.route('**/v1/decisions', async route => {
      const { calibration: _, ...asked } = route.request().postDataJSON()
      await route.fulfill({ response: await route.fetch({ postData: asked }) })
    })
    await page.getByText('Settings').click()
    await page.getByLabel('Calibration profile').fill('calp1.k.of_other_questions')
    await uncovered.nth(2).waitFor()
    await page.getByRole('button', { name: 'An unsure answer' }).click()
    await page.getByText('not covered by the profile, unsure', { exact: true }).waitFor()
    await page.getByRole('button', { name: '48 questions' }).click()
    await page.locator('.answer-row').nth(47).waitFor()
    expect(await uncovered.count()).toBe(48)
  })
})

describe('asking', () => {
  chromiumOnly('runs once while Ctrl-Enter is held down', async () => {
    const { page, requests } = await open('/')
    await settled(page)
    const before = requests.length
    const answered = page.waitForResponse('**/v1/decisions')
    await page.keyboard.down('Control')
    for (let times = 0; times < 5; times++) await page.keyboard.down('Enter')
    await answered
    await page.waitForTimeout(PAUSED_MS)
    expect(requests.length - before).toBe(1)
  })

  chromiumOnly('announces an answer again if it is asked for again', async () => {
    const { page } = await open('/')
    await settled(page)
    const status = page.getByRole('region', { name: /^Answers/ }).getByRole('status')
    const release = await holdUp(page, '**/v1/decisions')
    await page.getByRole('button', { name: 'Run' }).click()
    await expect.poll(() => status.textContent()).toBe('')
    release()
    await expect.poll(() => status.textContent()).toMatch(/^Answered: team: billing/)
  })

  it('runs with Ctrl-Enter from anywhere, and from the cache the second time', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByLabel('As I type').uncheck()
    await page.getByLabel('State, text').fill(`Where is my parcel? Order ${Date.now()}`)
    await page.keyboard.press('Control+Enter')
    await page.getByText('not in the cache').waitFor()
    await settled(page)
    await page.keyboard.press('Control+Enter')
    await page.getByText('at a fifth of the price').waitFor()
    expect(await page.locator('.latency').textContent()).toMatch(/cold \d+.*state cached \d+/)
    // The time of one state says nothing of the next.
    await page.getByLabel('State, text').fill(`Where is it now? Order ${Date.now()}`)
    await page.keyboard.press('Control+Enter')
    await page.getByText('not in the cache').waitFor()
    expect(await page.locator('.latency').textContent()).not.toMatch(/state cached \d+/)
  })

  chromiumOnly('asks someone who types fast again in a moment, if the service was too busy', async () => {
    const { page } = await open('/')
    await settled(page)
    const tooMany = { status: 429, headers: { 'retry-after': '1' }, json: {} }
    await page.route(/\/v1\/decisions$/, route => route.fulfill(tooMany), { times: 1 })
    const refused = page.waitForResponse(answer => answer.status() === 429)
    await page.getByLabel('State, text').fill('The app crashes when I open settings')
    await refused
    await settled(page)
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  chromiumOnly.each([
    ['for longer than a moment', '6', true],
    ['for someone who presses Run', '1', false],
  ])('says so if the service was too busy %s', async (_, retryAfter, asTyped) => {
    const { page, requests } = await open('/')
    await settled(page)
    const tooMany = { status: 429, headers: { 'retry-after': retryAfter }, json: {} }
    await page.route(/\/v1\/decisions$/, route => route.fulfill(tooMany))
    if (!asTyped) await page.getByLabel('As I type').uncheck()
    const before = requests.length
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('alert').getByText('status 429').waitFor({ timeout: 5_000 })
    await page.waitForTimeout(1_500)
    expect(requests.length - before).toBe(1)
  })

  it('answers while the user types, after a pause', async () => {
    const { page, requests } = await open('/')
    await settled(page)
    const before = requests.length
    await page.getByLabel('State, text').fill('')
    await page
      .getByLabel('State, text')
      .pressSequentially('The app crashes when I open settings', { delay: 15 })
    await page.waitForFunction(() => document.querySelector('.headline strong')?.textContent === 'technical')
    expect(decisionsIn(requests.slice(before)).length).toBeLessThan(6)
  })

  chromiumOnly(
    'sends no half-composed word while an input method is in use, unless it is left so',
    async () => {
      const opened = await open('/')
      const { page, requests } = opened
      await settled(page)
      const devtools = await page.context().newCDPSession(page)
      const compose = async (text: string) => {
        await devtools.send('Input.imeSetComposition', { text, selectionStart: 0, selectionEnd: 0 })
        await page.waitForTimeout(PAUSED_MS)
      }
      const places = [page.getByLabel('State, text'), page.getByLabel('Instructions of team')]
      for (const place of places) {
        await place.click()
        const before = requests.length
        for (const part of ['n', 'に', 'にほn']) await compose(part)
        expect(requests.length).toBe(before)
        await devtools.send('Input.insertText', { text: '日本' })
        await expect.poll(() => requests.length).toBe(before + 1)
        await page.waitForTimeout(PAUSED_MS)
        expect(requests.length).toBe(before + 1)
        expect(lastAsked(opened)).toContain('日本')
      }
      await compose('요')
      await expect.poll(() => lastAsked(opened), { timeout: 10_000 }).toContain('日本요')
    },
  )

  chromiumOnly(
    'asks only once if Run is pressed before the pause is over, and not at all once “As I type” is off',
    async () => {
      const { page, requests } = await open('/')
      await settled(page)
      const before = requests.length
      const asked = () => decisionsIn(requests.slice(before)).length
      await typeAnd(page, 'The app crashes when I open settings', 'run')
      await page.waitForTimeout(PAUSED_MS)
      expect(asked()).toBe(1)
      await typeAnd(page, 'I want my money back', 'untick')
      await page.waitForTimeout(PAUSED_MS)
      expect(asked()).toBe(1)
      await page.keyboard.press('Control+Enter')
      await settled(page)
      await page.getByLabel('As I type').check()
      await page.waitForTimeout(PAUSED_MS)
      expect(asked()).toBe(2)
    },
  )

  chromiumOnly('waits for Run when there is much to send, and says how much that is', async () => {
    const opened = await open('/')
    const { page } = opened
    await settled(page)
    const asked = lastAsked(opened)
    const long = 'lorem ipsum '.repeat(10_000)
    const question = `{"type": "noul", "instructions": "${long}"}`
    await writeQuestions(page, `{"long": ${question}`)
    const alert = page.getByRole('alert').getByText('not valid JSON')
    await alert.waitFor()
    await writeQuestions(page, `{"long": ${question}}`)
    const held = page.getByText(/^12\d\.\d kB: press Run when ready$/)
    await held.waitFor()
    await alert.waitFor({ state: 'detached' })
    await page.getByLabel('As I type').uncheck()
    await held.waitFor({ state: 'detached' })
    await page.getByLabel('As I type').check()
    await held.waitFor()
    await page.waitForTimeout(PAUSED_MS)
    expect(lastAsked(opened)).toBe(asked)
    await page.locator('.questions .switch').getByLabel('Form').check()
    await page.getByRole('button', { name: 'Add a yes / no question' }).click()
    await page.getByRole('button', { name: 'Remove long', exact: true }).click()
    await page.getByLabel('Instructions of statement').fill('short')
    await answerTo(page, 'statement').waitFor()
    await page.getByLabel('Instructions of statement').fill(long)
    await held.waitFor()
    // The service counts bytes, of which this character has three.
    await page.getByLabel('Instructions of statement').fill('長'.repeat(45_000))
    await page.getByText(/^135\.\d kB: press Run when ready$/).waitFor()
  })

  chromiumOnly('waits while something is still to be written, and says what', async () => {
    const opened = await open('/')
    const { page } = opened
    await settled(page)
    const asked = lastAsked(opened)
    await page.getByRole('button', { name: 'Add a choice question' }).click()
    const waits = (why: string) => page.getByText(`${why}: press Run when ready`, { exact: true }).waitFor()
    await waits('a question has no instructions')
    await page.getByLabel('Instructions of choice').fill('What does the customer want?')
    await waits('an option has no name')
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByLabel('Option 1 of choice', { exact: true }).fill('a refund')
    await page.waitForTimeout(PAUSED_MS)
    expect(lastAsked(opened)).toBe(asked)
    await page.getByLabel('Option 2 of choice', { exact: true }).fill('a replacement')
    await answerTo(page, 'choice').waitFor()
    await page.getByLabel('State, text').fill('')
    await waits('the state is empty')
    await page.keyboard.press('Control+Enter')
    await settled(page)
    expect(JSON.parse(lastAsked(opened)).state).toBe('')
  })

  chromiumOnly(
    'says that answers are for the earlier text, and writes them in grey, until there are newer ones',
    async () => {
      const { page } = await open('/')
      await settled(page)
      const earlier = page.getByText('for the earlier text')
      const team = answerTo(page, 'team')
      const colours = () =>
        Promise.all(
          ['.headline strong', '.sure b', '.likeliest td'].map(place =>
            team.locator(place).evaluate(element => getComputedStyle(element).color),
          ),
        )
      const [ink] = await colours()
      expect(await colours()).toEqual([ink, ink, ink])
      expect(await earlier.count()).toBe(0)
      await page.getByLabel('State, text').fill('')
      await earlier.waitFor()
      const grey = await earlier.evaluate(element => getComputedStyle(element).color)
      expect(grey).not.toBe(ink)
      expect(await colours()).toEqual([grey, grey, grey])
      await page.getByLabel('State, text').fill('The app crashes')
      await earlier.waitFor({ state: 'detached' })
      expect(await colours()).toEqual([ink, ink, ink])
    },
  )

  chromiumOnly('says that a key is needed when there is none, and takes one', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByRole('button', { name: 'Local playground key' }).click()
    await page.getByRole('button', { name: 'Forget the key' }).click()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('alert').getByRole('button', { name: 'Enter API key' }).click()
    await page.getByLabel('Key', { exact: true }).fill(inject('service').keys.standard)
    await page.getByRole('button', { name: 'Use this key' }).click()
    await settled(page)
    await page.getByRole('button', { name: 'API key set' }).waitFor()
  })
})

/** Types and acts in one go, so that the pause that typing starts cannot be over, however busy the machine is. */
const typeAnd = (page: Page, text: string, then: 'run' | 'untick'): Promise<void> =>
  page.getByLabel('State, text').evaluate(
    (area, [text, then]) => {
      Object.assign(area, { value: text }).dispatchEvent(new Event('input', { bubbles: true }))
      if (then === 'untick') document.querySelector<HTMLElement>('.run-bar input[type=checkbox]')?.click()
      else area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))
    },
    [text, then] as const,
  )
