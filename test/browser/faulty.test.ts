import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { chromiumOnly, decisionsIn, holdUp, settled, useBrowser, writeQuestions } from './browser.ts'

const open = useBrowser()

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

  chromiumOnly(
    'opens its question, which can be folded all the same, and stays open once it is mended',
    async () => {
      const { page } = await open('/')
      await settled(page)
      await page.getByRole('button', { name: 'Collapse team', exact: true }).click()
      await page.getByLabel('Id of question 2').fill('team')
      await page.getByText('Two questions have this id.').nth(1).waitFor()
      const fold = page.locator('.question').first().locator('.fold')
      expect(await fold.getAttribute('aria-expanded')).toBe('true')
      await fold.click()
      expect(await fold.getAttribute('aria-expanded')).toBe('false')
      await fold.click()
      await page.getByLabel('Id of question 2').fill('another')
      await page.locator('.question.faulty').first().waitFor({ state: 'detached' })
      expect(await fold.getAttribute('aria-expanded')).toBe('true')
    },
  )

  chromiumOnly.each([
    ['As I type', (page: Page) => page.getByLabel('As I type').uncheck()],
    [
      'a key',
      async (page: Page) => {
        await page.getByRole('button', { name: 'Local playground key' }).click()
        await page.getByRole('button', { name: 'Forget the key' }).click()
      },
    ],
  ])('goes once it is mended, even without %s', async (_, take) => {
    const { page } = await open('/')
    await settled(page)
    await take(page)
    await page.getByLabel('Id of question 2').fill('team')
    await page.getByRole('button', { name: 'Run' }).click()
    const faulty = page.locator('.question.faulty')
    await expect.poll(() => faulty.count()).toBe(2)
    await page.getByLabel('Id of question 3').fill('team')
    await page.getByLabel('Id of question 2').fill('wrote_before')
    await page.waitForTimeout(1_000)
    expect(await faulty.count()).toBe(2)
    await page.getByLabel('Id of question 3').fill('urgency')
    await expect.poll(() => faulty.count()).toBe(0)
    expect(await page.getByText('Two questions have this id.').count()).toBe(0)
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
    expect(decisionsIn(requests.slice(before))).toEqual([])
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

  chromiumOnly('is marked as one of the earlier text once the request has changed', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByLabel('As I type').uncheck()
    await page.getByText('Settings').click()
    const model = page.getByLabel('Model', { exact: true })
    const seen = [page.locator('#setting-model-error'), page.getByRole('alert')]
    await model.fill('decider-9')
    await page.keyboard.press('Control+Enter')
    for (const place of seen) {
      await place.waitFor()
      expect(await place.textContent()).not.toContain('for the earlier text')
    }
    const release = await holdUp(page, '**/v1/decisions')
    const asked = page.waitForRequest('**/v1/decisions')
    await page.keyboard.press('Control+Enter')
    await asked
    await model.fill('')
    const refused = page.waitForResponse('**/v1/decisions')
    release()
    await (await refused).finished()
    await page.getByRole('button', { name: 'Run' }).waitFor()
    for (const place of seen) expect(await place.textContent()).toContain('for the earlier text')
    await page.keyboard.press('Control+Enter')
    for (const place of seen) await place.waitFor({ state: 'detached' })
  })
})
