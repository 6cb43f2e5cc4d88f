// A tab holds what nobody stores, so it asks before that is lost, and only then.
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import {
  calibrateSample,
  calibrationWith,
  chromiumOnly,
  settled,
  useBrowser,
  writeQuestions,
} from './browser.ts'

const open = useBrowser()

/** How often the browser asks when the page is reloaded. */
const asksOnReload = async (page: Page): Promise<number> => {
  let asks = 0
  page.on('dialog', dialog => {
    asks += dialog.type() === 'beforeunload' ? 1 : 0
    void dialog.accept()
  })
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  return asks
}

describe('leaving the page', () => {
  chromiumOnly('needs a confirmation once something was written by hand', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByLabel('State, text').click()
    await page.keyboard.type('Mine. ')
    expect(await asksOnReload(page)).toBe(1)
  })

  chromiumOnly('needs one while what was written can still be brought back', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByLabel('State, text').click()
    await page.keyboard.type('Mine. ')
    await page.getByRole('button', { name: 'Customer intent' }).click()
    await page.getByRole('button', { name: 'Bring back what I wrote' }).waitFor()
    expect(await asksOnReload(page)).toBe(1)
  })

  chromiumOnly('needs one while a profile is being fitted, because that is charged', async () => {
    const { page } = await open('/calibration')
    await page.route('**/v1/calibrations', () => {})
    await calibrateSample(page)
    await page.getByRole('button', { name: 'Cancel' }).waitFor()
    expect(await asksOnReload(page)).toBe(1)
  })

  chromiumOnly('needs one once a profile was fitted, which was paid for', async () => {
    const { page } = await open('/calibration')
    await page.route('**/v1/calibrations', route => route.fulfill({ json: calibrationWith('calp1.k.p') }))
    await calibrateSample(page)
    await page.getByLabel('Profile token').waitFor()
    expect(await asksOnReload(page)).toBe(1)
  })

  chromiumOnly('needs none while there is only an example, nor to read the reference beside it', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByRole('button', { name: 'Customer intent' }).click()
    await settled(page)
    const another = page.context().waitForEvent('page')
    await page.getByRole('banner').getByRole('link', { name: 'Reference' }).click()
    expect(new URL((await another).url()).pathname).toBe('/docs')
    expect(await asksOnReload(page)).toBe(0)
  })

  it('does not follow from a file that is dropped beside the place for it', async () => {
    const { page } = await open('/calibration')
    const prevented = await page.evaluate(() => {
      const file = new DataTransfer()
      file.items.add(new File(['{}'], 'mine.jsonl'))
      const text = new DataTransfer()
      text.setData('text/plain', 'a text')
      return [file, text].map(dataTransfer => {
        const drop = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
        return !document.body.dispatchEvent(drop)
      })
    })
    expect(prevented).toEqual([true, false])
  })

  chromiumOnly('leaves no content in fields that a browser keeps on disk to restore the tab', async () => {
    const kept = () =>
      page
        .locator(':is(textarea, select, input:not([type])):not([autocomplete=off])')
        .evaluateAll(fields => fields.map(field => field.getAttribute('aria-label')))
    const { page } = await open('/')
    await settled(page)
    await page.getByRole('radio', { name: 'JSON' }).last().check()
    await page.getByLabel('Response body').waitFor()
    expect(await kept()).toEqual([])
    await writeQuestions(page, '{"a": {"type": "noul", "instructions": ["x"]}}')
    await page.locator('.questions .switch').getByLabel('Form').check()
    await page.getByLabel('Instructions of a, JSON').waitFor()
    expect(await kept()).toEqual([])
    await page.route('**/v1/calibrations', route => route.fulfill({ json: calibrationWith('calp1.k.p') }))
    await page.getByRole('link', { name: 'Calibration', exact: true }).click()
    await calibrateSample(page)
    expect(await page.getByLabel('Profile token').getAttribute('autocomplete')).toBe('off')
  })
})
