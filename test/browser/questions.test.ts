import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { answerTo, chromiumOnly, lastAsked, settled, useBrowser, writeQuestions } from './browser.ts'

const open = useBrowser()

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
    ['Option 2 of team', 'billing', 'Options 1 and 2 have the same name.'],
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
    const marked = page.locator('.question input[aria-invalid="true"]')
    expect(
      await marked.evaluateAll(fields => fields.map(f => f.ariaDescribedByElements?.[0]?.textContent)),
    ).toEqual([message, message])
    await page.getByLabel(field, { exact: true }).fill('another')
    expect(await marked.count()).toBe(0)
    await page.locator('.questions .switch').getByLabel('JSON').check()
    await expect.poll(() => editorText(page)).toContain('"another"')
  })

  chromiumOnly('are answered as a list, which the form says it cannot show', async () => {
    const { page } = await open('/')
    await settled(page)
    await writeQuestions(page, '[{"name": "polite", "type": "noul", "instructions": "x"}]')
    await settledWith(page, 'polite')
    await page.locator('.questions .switch').getByLabel('Form').click()
    const why = page.getByRole('alert').getByText('The form can only show questions given as an object')
    await why.waitFor()
    expect(await page.getByText('Not sent').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'not calibrated' }).count()).toBe(1)
    await page.getByLabel('State, text').fill('Another text')
    await why.waitFor({ state: 'detached' })
  })

  it('are added, renamed, moved, retyped and removed in the form', async () => {
    const opened = await open('/')
    const { page } = opened
    await settled(page)
    await page.getByRole('button', { name: 'Add a yes / no question' }).click()
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

describe('a copy of a question', () => {
  chromiumOnly('shares no id in the page with the original, and is changed alone', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByRole('button', { name: 'Duplicate team', exact: true }).click()
    await page.getByLabel('Option 1 of team_2', { exact: true }).fill('invoices')
    expect(await page.getByLabel('Option 1 of team', { exact: true }).inputValue()).toBe('billing')
    const ids = await page.locator('[id]').evaluateAll(elements => elements.map(({ id }) => id))
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
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

const settledWith = async (page: Page, id: string): Promise<void> => {
  await answerTo(page, id).waitFor()
  await settled(page)
}

const editorText = (page: Page): Promise<string> =>
  page
    .locator('.questions .cm-content')
    .evaluate(content => [...content.querySelectorAll('.cm-line')].map(line => line.textContent).join('\n'))
