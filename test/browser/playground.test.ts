import type { Page } from 'playwright-core'
import { describe, expect, inject, it } from 'vitest'
import { answerTo, chromiumOnly, lastAsked, settled, useBrowser, writeQuestions } from './browser.ts'

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
    const abstaining = page.getByRole('button', { name: 'abstains: below the profile’s cutoff' })
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
    const asked = requests.slice(before).filter(({ url }) => url.endsWith('/v1/decisions'))
    expect(asked.length).toBeLessThan(6)
  })

  chromiumOnly(
    'asks only once if Run is pressed before the pause is over, and not at all once “As I type” is off',
    async () => {
      const { page, requests } = await open('/')
      await settled(page)
      const before = requests.length
      const asked = () => requests.slice(before).filter(({ url }) => url.endsWith('/v1/decisions')).length
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
    await page.getByRole('button', { name: 'yes / no' }).click()
    await page.getByRole('button', { name: 'Remove long', exact: true }).click()
    await page.getByLabel('Instructions of statement').fill('short')
    await answerTo(page, 'statement').waitFor()
    await page.getByLabel('Instructions of statement').fill(long)
    await held.waitFor()
  })

  chromiumOnly('waits while something is still to be written, and says what', async () => {
    const opened = await open('/')
    const { page } = opened
    await settled(page)
    const asked = lastAsked(opened)
    await page.getByRole('button', { name: 'choice', exact: true }).click()
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

  chromiumOnly('shows what the service says about a wrong key', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByRole('button', { name: 'Local playground key' }).click()
    await page.getByLabel('Key', { exact: true }).fill('sk_decider_wrong')
    await page.getByRole('button', { name: 'Use this key' }).click()
    await page.getByRole('alert').getByText('invalid_api_key').waitFor()
    const refused = page.getByRole('button', { name: 'API key refused' })
    expect(await refused.getAttribute('class')).toBe('key missing')
    await refused.click()
    await page.getByLabel('Key', { exact: true }).fill(inject('service').keys.standard)
    await page.getByRole('button', { name: 'Use this key' }).click()
    await page.getByRole('button', { name: 'API key set' }).waitFor()
    await settled(page)
  })
})

describe('questions', () => {
  const AWKWARD = `{
  "10": {"type": "choice", "instructions": {"ask": "Which?", "limit": 12345678901234567890},
         "criteria": {"9": null, "1": "one", "__proto__": "odd"}},
  "2": {"criteria": ["low", "high"], "type": "score"}
}`

  it('go from JSON to the form and back without losing order, digits or spaces', async () => {
    const opened = await open('/')
    const { page } = opened
    await settled(page)
    await writeQuestions(page, AWKWARD)
    await settledWith(page, '2')
    expect(lastAsked(opened)).toContain(`"questions":${AWKWARD}`)
    await page.locator('.questions .switch').getByLabel('Form').check()
    expect(
      await page
        .locator('.question input.id')
        .evaluateAll(fields => fields.map(f => (f as HTMLInputElement).value)),
    ).toEqual(['10', '2'])
    expect(
      await page
        .getByLabel(/^Option \d of 10$/)
        .evaluateAll(fields => fields.map(f => (f as HTMLInputElement).value)),
    ).toEqual(['9', '1', '__proto__'])
    await page.locator('.questions .switch').getByLabel('JSON').check()
    expect(await editorText(page)).toBe(AWKWARD)
  })

  chromiumOnly('keep everything an edit in the form does not touch', async () => {
    const opened = await open('/')
    const { page } = opened
    await settled(page)
    await writeQuestions(page, AWKWARD)
    await page.locator('.questions .switch').getByLabel('Form').check()
    await page.getByLabel('Level 1 of 2', { exact: true }).fill('highest')
    await page.keyboard.press('Control+Enter')
    await settledWith(page, '2')
    await expect
      .poll(() => lastAsked(opened))
      .toContain(
        '"questions":{"10":{"type":"choice","instructions":{"ask":"Which?","limit":12345678901234567890},"criteria":{"9":null,"1":"one","__proto__":"odd"}},"2":{"criteria":["low","highest"],"type":"score"}}',
      )
  })

  chromiumOnly.each([
    ['Option 2 of team', 'billing', 'Two options have the same name.'],
    ['Id of question 2', 'team', 'Two questions have this id.'],
  ])('stay in the form while two share a name: %s', async (field, name, message) => {
    const { page } = await open('/')
    await settled(page)
    await page.getByLabel('As I type').uncheck()
    await page.getByLabel(field, { exact: true }).fill(name)
    // Not `check`, which would fail because JSON stays unselected.
    await page.locator('.questions .switch').getByLabel('JSON').click()
    await page.locator('.question.faulty').getByText(message).first().waitFor()
    expect(await page.locator('.questions .switch').getByLabel('Form').isChecked()).toBe(true)
    expect(await page.getByLabel(field, { exact: true }).inputValue()).toBe(name)
    await page.getByLabel(field, { exact: true }).fill('another')
    await page.locator('.questions .switch').getByLabel('JSON').check()
    await expect.poll(() => editorText(page)).toContain('"another"')
  })

  it('are added, renamed, moved, retyped and removed in the form', async () => {
    const opened = await open('/')
    const { page } = opened
    await settled(page)
    await page.getByRole('button', { name: 'yes / no' }).click()
    await page.keyboard.type('_new')
    await page.getByLabel('Instructions of statement_new').fill('The customer is polite')
    await page.getByRole('button', { name: 'Move statement_new up' }).click()
    await page.getByRole('button', { name: 'Remove team' }).click()
    await page.getByLabel('Type of urgency').selectOption('choice')
    await page.keyboard.press('Control+Enter')
    await answerTo(page, 'statement_new').waitFor()
    await settled(page)
    const { questions } = JSON.parse(lastAsked(opened))
    expect(Object.keys(questions)).toEqual(['wrote_before', 'statement_new', 'urgency'])
    expect(questions.urgency.type).toBe('choice')
  })
})

describe('a removal in the form', () => {
  it.each([
    ['option shipping of team', 'Option 2 of team', 'shipping'],
    ['level 1 of urgency', 'Level 1 of urgency', 'within the week'],
    ['wrote_before', 'Id of question 2', 'wrote_before'],
  ])('can be undone: %s', async (what, field, value) => {
    const { page } = await open('/')
    await settled(page)
    const removed = page.getByRole('button', { name: `Remove ${what}`, exact: true })
    await removed.click()
    await page.getByRole('status').getByText(`Removed ${what}.`).waitFor()
    expect(await page.getByLabel(field, { exact: true }).inputValue()).not.toBe(value)
    await page.getByLabel('State, text').fill('Something newer, which stays')
    await page.getByRole('button', { name: 'Undo' }).click()
    expect(await page.getByLabel(field, { exact: true }).inputValue()).toBe(value)
    expect(await removed.evaluate(button => button === document.activeElement)).toBe(true)
    expect(await page.getByLabel('State, text').inputValue()).toBe('Something newer, which stays')
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0)
  })

  chromiumOnly('stays once the form is edited again, or holds other questions', async () => {
    const { page } = await open('/')
    await settled(page)
    const undo = page.getByRole('button', { name: 'Undo' })
    const remove = page.getByRole('button', { name: 'Remove urgency', exact: true })
    await remove.click()
    await undo.waitFor()
    await page.getByLabel('Instructions of team').fill('Whose is it?')
    await undo.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove team', exact: true }).click()
    await undo.waitFor()
    await page.getByRole('button', { name: 'Ticket routing' }).click()
    await remove.waitFor()
    expect(await undo.count()).toBe(0)
  })
})

describe('an error', () => {
  chromiumOnly('appears at the field the service names: a question in the form', async () => {
    const { page } = await open('/')
    await settled(page)
    for (const option of ['billing', 'shipping', 'technical', 'account', 'none_of_these']) {
      await page.getByRole('button', { name: `Remove option ${option} of team` }).click()
    }
    const question = page.locator('.question.faulty')
    await question.waitFor()
    expect(await question.locator('input.id').inputValue()).toBe('team')
    expect(await question.locator('.field-error').textContent()).toContain('criteria')
    expect(await page.getByRole('alert').textContent()).toContain('questions.team.criteria')
  })

  chromiumOnly('appears at the field the service names: a place in JSON', async () => {
    const { page } = await open('/')
    await settled(page)
    await writeQuestions(
      page,
      '{"fine": {"type": "noul"}, "off": {"type": "choice", "criteria": ["a", "b"]}}',
    )
    await page.getByRole('alert').getByText('questions.off.criteria', { exact: true }).waitFor()
    expect(await page.locator('.questions .cm-lintRange-error').textContent()).toBe('"criteria"')
  })

  chromiumOnly('stays when questions that the service refuses are viewed in the other form', async () => {
    const { page } = await open('/')
    await settled(page)
    const off = '"off": {"type": "choice", "instructions": "What to do", "criteria": {}}'
    await writeQuestions(page, `{${off}}`)
    await page.getByRole('alert').getByText('questions.off.criteria', { exact: true }).waitFor()
    const form = page.locator('.questions .switch')
    await form.getByLabel('Form').check()
    await page.locator('.question.faulty').getByText('must hold at least one option').waitFor()
    await form.getByLabel('JSON').check()
    await page.locator('.questions .cm-lintRange-error').getByText('"criteria"').waitFor()
    await page.getByLabel('As I type').uncheck()
    await writeQuestions(page, '{"off": }')
    await form.getByLabel('Form').click()
    const alert = page.getByRole('alert').getByText('not valid JSON')
    await alert.waitFor()
    await writeQuestions(page, `{${off.replace('{}', '{"a": null}')}}`)
    await form.getByLabel('Form').check()
    await alert.waitFor({ state: 'detached' })
  })

  chromiumOnly('appears at a question that the form shows as JSON, whatever its field', async () => {
    const { page } = await open('/')
    await settled(page)
    await writeQuestions(page, '{"off": {"type": "noul", "instructions": 5}}')
    await page.getByRole('alert').getByText('questions.off.instructions', { exact: true }).waitFor()
    await page.locator('.questions .switch').getByLabel('Form').check()
    await page.locator('.question.faulty .field-error').getByText('instructions').waitFor()
  })

  chromiumOnly('appears where JSON is broken, without a request', async () => {
    const { page, requests } = await open('/')
    await settled(page)
    const before = requests.length
    await writeQuestions(page, '{"a": {"type": "noul",}}')
    await page.locator('.questions .field-error').waitFor()
    expect(await page.locator('.questions .field-error').textContent()).toContain('not valid JSON')
    expect(requests.slice(before).filter(({ url }) => url.endsWith('/v1/decisions'))).toEqual([])
  })

  chromiumOnly('appears in the settings: an unreadable profile, an unknown model', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByText('Settings').click()
    await page.getByLabel('Calibration profile').fill('calp1.nobody.nothing')
    await page.locator('#setting-calibration-error').waitFor()
    expect(await page.getByLabel('Calibration profile').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Calibration profile').fill('')
    await page.getByLabel('Model', { exact: true }).fill('decider-9')
    await page.locator('#setting-model-error').waitFor()
    await page.getByLabel('Model', { exact: true }).fill('')
    await settled(page)
  })

  chromiumOnly('says that two options have the same name, and neither is lost', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByLabel('Option 2 of team').fill('billing')
    await page.locator('.question.faulty').getByText('Two options have the same name.').waitFor()
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

const settledWith = async (page: Page, id: string): Promise<void> => {
  await answerTo(page, id).waitFor()
  await settled(page)
}

const editorText = (page: Page): Promise<string> =>
  page
    .locator('.questions .cm-content')
    .evaluate(content => [...content.querySelectorAll('.cm-line')].map(line => line.textContent).join('\n'))
