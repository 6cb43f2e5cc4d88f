import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import type { CalibrationQuestionReport } from '../../src/calibration/wire.ts'
import {
  answerTo,
  calibrateSample,
  calibrationWith,
  chooseFile,
  chromiumOnly,
  clipboard,
  holdUp,
  lastAsked,
  settled,
  takeSample,
  useBrowser,
  wider,
} from './browser.ts'

const open = useBrowser()

const EXAMPLES = join(import.meta.dirname, '../../examples/support-tickets.jsonl')
const CALIBRATION_MS = 240_000

describe('the calibration page', () => {
  it('turns a file of labelled examples into a report with charts and a profile that the playground uses', async () => {
    const opened = await open('/calibration')
    const { page } = opened
    await page.getByRole('button', { name: 'Local playground key' }).waitFor()
    // Half of the examples: enough for a fit, and quicker on a busy machine.
    const lines = (await readFile(EXAMPLES, 'utf8'))
      .split('\n')
      .slice(0, 200)
      .join('\n')
      .replaceAll('"mood":', `"${'mood_'.repeat(40)}":`)
    await chooseFile(page, `${'half'.repeat(60)}.jsonl`, lines)
    await page.getByText('200 examples').waitFor()
    await page.getByText('choice, 200 labels').waitFor()
    await page.getByLabel('Target error, percent').fill('10')
    await page.getByRole('button', { name: 'Calibrate' }).click()
    const progress = await page.getByRole('status').elementHandle()

    const report = page.getByRole('region', { name: 'Report', exact: true })
    await report.waitFor({ timeout: CALIBRATION_MS })
    // In the region that reported progress: a screen reader says nothing of a region added together with its text.
    const told = await progress?.evaluate(region => region.isConnected && region.textContent)
    expect(told).toContain('The calibration is done')
    // When another run is cancelled, the earlier report is not announced again.
    await page.route('**/v1/calibrations', () => {})
    await page.getByRole('button', { name: 'Calibrate' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('status').allTextContents()).not.toContain(told)
    const rows = page.getByRole('table', { name: 'Report by question' }).getByRole('row')
    expect(await rows.count()).toBe(4)
    expect(await rows.nth(1).textContent()).toMatch(/team.*fitted200(\d+\.\d%){2}\d\.\d{3} → \d\.\d{3}/)
    expect(await page.locator('canvas').count()).toBe(6)
    expect(await wider(page)).toBe(0)
    const reliability = page.getByRole('figure', { name: /Reliability of team/ })
    await reliability.getByText('Figures').click()
    expect(await reliability.getByRole('row').count()).toBeGreaterThan(5)

    await page.getByRole('button', { name: 'Copy the token' }).click()
    await expect.poll(() => clipboard(page)).toMatch(/^calp1\./)
    await page.getByRole('button', { name: 'Use it in the playground' }).click()
    await answerTo(page, 'team').waitFor()
    await settled(page)
    expect(JSON.parse(lastAsked(opened)).calibration).toMatch(/^calp1\./)
    expect(lastAsked(opened)).not.toContain('label')
    expect(await answerTo(page, 'team').locator('.tag').textContent()).toMatch(/abstains|sure enough/)
  }, 300_000)

  it('lets a report be saved that it cannot show, as after a release that changed its form', async () => {
    const { page } = await open('/calibration')
    await takeSample(page)
    const report = { object: 'calibration', profile: 'calp1.k.naïve#', questions: 'in another form' }
    await page.route('**/v1/calibrations', route => route.fulfill({ json: report }))
    await page.locator('.run-calibration').getByRole('button').click()
    await page.getByRole('alert').getByText('this page does not know the form of its report').waitFor()
    const link = page.getByText('Download calibration.json')
    expect(await link.getAttribute('download')).toBe('calibration.json')
    const saved = await link.getAttribute('href')
    expect(await (await fetch(saved ?? '')).json()).toEqual(report)
    // The browser asks before it leaves the page, which would lose the report.
    const asked = page.waitForEvent('dialog')
    void page.reload().catch(() => {})
    await (await asked).dismiss()
  })

  it('accepts a dropped file and says what is wrong with it before anything is sent', async () => {
    const { page, requests } = await open('/calibration')
    const [first = ''] = (await readFile(EXAMPLES, 'utf8')).split('\n')
    await page.getByRole('region', { name: 'Examples' }).evaluate((drop, line) => {
      const data = new DataTransfer()
      data.items.add(new File([`${line}\n{"state": oops}\n`], `${'mine'.repeat(60)}.jsonl`))
      drop.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
    }, first)
    await page.getByText('mine'.repeat(60)).waitFor()
    expect(await wider(page)).toBe(0)
    await page.getByText('Line 2 is not valid JSON').waitFor()
    await page.getByText('The file has 1 example; at least 200 are needed.').waitFor()
    expect(requests.filter(({ body }) => body)).toEqual([])
  })

  it('sets names in their own direction, which turns nothing around them', async () => {
    const { page } = await open('/calibration')
    const question = '{"type": "noul", "instructions": "x", "label": true}'
    const line = `{"state": "s", "questions": {"\u202ereversed": ${question}}}\n`
    await chooseFile(page, 'תווית 7', line.repeat(200))
    for (const name of [page.locator('.found b'), page.locator('.found .tag .mono')])
      expect(await name.evaluate(isBeforeTheRest)).toBe(true)
  })

  chromiumOnly('has a screen reader announce what was found in a file', async () => {
    const { page } = await open('/calibration')
    await page.getByRole('heading', { level: 1 }).waitFor()
    // One that appears together with its text is not announced.
    const region = await page.getByRole('region', { name: 'Examples' }).locator('[aria-live]').elementHandle()
    await chooseFile(page, 'mine.jsonl', '{}')
    await expect
      .poll(() => region?.textContent())
      .toContain('The file has 1 example; at least 200 are needed.')
  })

  chromiumOnly('shows the whole of an example', async () => {
    const { page } = await open('/calibration')
    await page.getByText('What an example looks like').click()
    const cut = await page.getByText('Charged twice').evaluate(text => text.scrollWidth - text.clientWidth)
    expect(cut).toBe(0)
  })

  chromiumOnly('takes nothing from a file that is not JSON Lines, and says so once', async () => {
    const { page } = await open('/calibration')
    await chooseFile(page, 'mine.csv', 'text,label\n'.repeat(300))
    await page.getByText('This looks like CSV').waitFor()
    expect(await page.locator('.field-error').count()).toBe(1)
    expect(await page.getByRole('button', { name: 'Calibrate' }).count()).toBe(0)
  })

  chromiumOnly('leads from what is not JSON Lines to an example, also beside an earlier file', async () => {
    const { page } = await open('/calibration')
    const drop = (name: string, content: string | number[]) => chooseFile(page, name, content)
    const lead = page.getByRole('button', { name: 'See what an example looks like' })
    await drop('mine.jsonl', '{"state": "x", "questions": {}}')
    await page.getByText('mine.jsonl').waitFor()
    expect(await lead.count()).toBe(0)
    await drop('mine.csv', 'text,label\nbroken,technical\n')
    await lead.focus()
    await page.keyboard.press('Enter')
    await page.getByText('"Charged twice, please refund."').waitFor()
    await page.getByText('From a CSV file').waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('What an example looks like')
    await drop('mine.xlsx', [0x50, 0x4b, 3, 4, 0, 0xff])
    await page.getByRole('alert').getByText('That is not a text file.').waitFor()
    expect(await lead.count()).toBe(1)
    await drop('mine.jsonl', [0xff, 0xfe, 0x7b, 0])
    await page.getByRole('alert').getByText('not UTF-8').waitFor()
    expect(await lead.count()).toBe(0)
  })

  chromiumOnly(
    'says how many labels there are in how many wordings, as each wording needs its own',
    async () => {
      const { page } = await open('/calibration')
      const lines = (await readFile(EXAMPLES, 'utf8')).trim().split('\n').slice(0, 200)
      const asked = lines.map((line, at) => line.replace('Which team should', `${at}. Which team should`))
      await chooseFile(page, 'mine.jsonl', asked.join('\n'))
      await page.getByText('choice, 200 labels in 200 wordings: each needs 50').waitFor()
      await page.getByText('noul, 200 labels', { exact: false }).waitFor()
      expect(await page.getByText('wordings').count()).toBe(1)
    },
  )

  chromiumOnly('suggests with the sample a target at which each of its questions gets a cutoff', async () => {
    const { page } = await open('/calibration')
    await takeSample(page)
    expect(await page.getByLabel('Target error, percent').inputValue()).toBe('10')
    await page.getByText('they are easier than yours will be').waitFor()
  })

  chromiumOnly(
    'takes the target of the sample for no other file, and keeps one that was chosen',
    async () => {
      const { page } = await open('/calibration')
      const target = page.getByLabel('Target error, percent')
      const takeOwn = async (name: string) => {
        await chooseFile(page, name, '{}')
        await page.getByText(name).waitFor()
      }
      await takeSample(page)
      await takeOwn('one.jsonl')
      expect(await target.inputValue()).toBe('5')
      await takeSample(page)
      await page.getByRole('button', { name: 'Try 400 sample tickets' }).click()
      await page.waitForLoadState('networkidle')
      await takeOwn('two.jsonl')
      expect(await target.inputValue()).toBe('5')
      await takeSample(page)
      await target.fill('3')
      await takeOwn('three.jsonl')
      expect(await target.inputValue()).toBe('3')
    },
  )

  it('refuses, without reading it, a file far larger than a request may be', async () => {
    const { page } = await open('/calibration')
    await page.getByRole('region', { name: 'Examples' }).evaluate(drop => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(40_000_001)], 'log.jsonl'))
      File.prototype.arrayBuffer = () => new Promise(() => undefined)
      drop.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
    })
    await page.getByRole('alert').getByText('That file is 40').waitFor()
  })

  it('says that a folder dropped on it cannot be read', async () => {
    const { page } = await open('/calibration')
    await page.getByRole('region', { name: 'Examples' }).evaluate(drop => {
      const data = new DataTransfer()
      data.items.add(new File([], 'folder'))
      // What a browser reports for a folder, which no script can drop.
      File.prototype.arrayBuffer = () => Promise.reject(new DOMException('not found', 'NotFoundError'))
      drop.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }))
    })
    await page.getByRole('alert').getByText('That could not be read').waitFor()
  })

  it('is ready to take the same file again, in case it was corrected meanwhile', async () => {
    const { page } = await open('/calibration')
    await chooseFile(page, 'mine.jsonl', '{"state": oops}')
    await page.getByRole('alert').getByText('This is not JSON Lines').waitFor()
    // A browser fires no change event if the same file is chosen again.
    expect(await page.locator('input[type=file]').inputValue()).toBe('')
  })

  chromiumOnly('keeps a run, which is charged, when another file is chosen meanwhile', async () => {
    const { page } = await open('/calibration')
    const release = await holdUp(page, '**/v1/calibrations', route =>
      route.fulfill({ json: calibrationWith('calp1.k.paid') }),
    )
    await calibrateSample(page)
    await page.getByRole('status').waitFor()
    await chooseFile(page, 'other.jsonl', '{}')
    await page.getByRole('alert').getByText('a calibration was under way').waitFor()
    release()
    await page.getByLabel('Profile token').waitFor()
    expect(await page.getByText('other.jsonl').count()).toBe(0)
  })

  chromiumOnly(
    'says at the field, before anything is sent, that a target error is out of range',
    async () => {
      const { page, requests } = await open('/calibration')
      await page.getByRole('button', { name: 'Local playground key' }).waitFor()
      await takeSample(page)
      const target = page.getByLabel('Target error, percent')
      const problem = page.getByRole('alert').getByText('Enter more than 0 and less than 50 percent.')
      for (const typed of ['60', '50', '0', 'five', '']) {
        await target.fill(typed)
        await page.getByRole('button', { name: 'Calibrate' }).click()
        await problem.waitFor()
        expect(await target.getAttribute('aria-invalid')).toBe('true')
        await target.fill('2,5')
        await problem.waitFor({ state: 'detached' })
      }
      expect(requests.filter(({ body }) => body)).toEqual([])
    },
  )

  chromiumOnly('shows the service’s refusal of a model at its field', async () => {
    const { page } = await open('/calibration')
    await page.getByRole('button', { name: 'Local playground key' }).waitFor()
    await takeSample(page)
    const model = page.getByLabel('Model', { exact: true })
    await model.fill('decider-9')
    await page.getByRole('button', { name: 'Calibrate' }).click()
    await page.getByRole('alert').getByText('model_not_found').waitFor()
    expect(await model.getAttribute('aria-invalid')).toBe('true')
  })

  chromiumOnly(
    'keeps a report, which was paid for, when a later run is refused and when the examples change',
    async () => {
      const { page } = await open('/calibration')
      const report = calibrationWith('calp1.k.paid')
      await page.route('**/v1/calibrations', route => route.fulfill({ json: report }), { times: 1 })
      await calibrateSample(page)
      const token = page.getByLabel('Profile token')
      await token.waitFor()
      await page.getByLabel('Model', { exact: true }).fill('decider-9')
      await page.getByRole('button', { name: 'Calibrate' }).click()
      await page.getByRole('alert').getByText('model_not_found').waitFor()
      expect(await token.inputValue()).toBe('calp1.k.paid')
      const name = `${'other'.repeat(40)}.jsonl`
      await chooseFile(page, name, '{"state": "Other"}')
      await page.getByText(name).waitFor()
      expect(await token.inputValue()).toBe('calp1.k.paid')
      await page.getByText('400 examples from support-tickets.jsonl').waitFor()
      await page.getByRole('button', { name: 'Use it in the playground' }).click()
      expect(await page.getByLabel('State, text').inputValue()).not.toBe('Other')
    },
  )

  chromiumOnly('leads to the playground, which then brings back all that was written there', async () => {
    const { page } = await open('/')
    await settled(page)
    await page.getByLabel('As I type').uncheck()
    await page.getByLabel('State, text').fill('A story about zebras')
    await page.getByText('Settings').click()
    const settings = [page.getByLabel('Model', { exact: true }), page.getByLabel('Calibration profile')]
    const values = () => Promise.all(settings.map(setting => setting.inputValue()))
    await settings[0]?.fill('decider')
    await settings[1]?.fill('calp1.mine.own')
    await page.getByRole('link', { name: 'Calibration' }).click()
    await page.route('**/v1/calibrations', route => route.fulfill({ json: calibrationWith('calp1.k.new') }))
    await calibrateSample(page)
    await page.getByRole('button', { name: 'Use it in the playground' }).click()
    await page.getByText('Settings').click()
    expect(await values()).toEqual(['m', 'calp1.k.new'])
    await page.getByRole('button', { name: 'Bring back what I wrote' }).click()
    await expect.poll(() => page.getByLabel('State, text').inputValue()).toBe('A story about zebras')
    expect(await values()).toEqual(['decider', 'calp1.mine.own'])
  })

  chromiumOnly('downloads the profile as a file that holds nothing else', async () => {
    const { page } = await open('/calibration')
    const report = calibrationWith('calp1.k.p-_')
    await page.route('**/v1/calibrations', route => route.fulfill({ json: report }))
    await calibrateSample(page)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download profile.txt' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('profile.txt')
    expect(await readFile(await file.path(), 'utf8')).toBe('calp1.k.p-_')
  })

  chromiumOnly.each([
    [null, 1],
    [0.9, 0],
  ])('says what to do if no cutoff was found, and only then: %s', async (cutoff, times) => {
    const { page } = await open('/calibration')
    const question = { ...FITTED, after: { ...FITTED.after, cutoff } }
    const report = calibrationWith('calp1.k.p', question)
    await page.route('**/v1/calibrations', route => route.fulfill({ json: report }))
    await calibrateSample(page)
    await page.getByLabel('Profile token').waitFor()
    expect(await page.getByText('If few are wrong, label more examples').count()).toBe(times)
  })

  chromiumOnly('asks for offsets if told to, and shows what they do to the accuracy', async () => {
    const { page, requests } = await open('/calibration')
    const question = {
      ...FITTED,
      after: { ...FITTED.after, accuracy: 0.9, nll: 0.4, ece: 0.2 },
      curves: { commonest_label: 0.3, reliability: { before: [], after: [] }, selective: [] },
    }
    const report = calibrationWith('calp1.k.p', question)
    await page.route('**/v1/calibrations', route => route.fulfill({ json: report }))
    await calibrateSample(page)
    await page.getByRole('cell', { name: '80.0% → 90.0%' }).waitFor()
    // Only improvements are bold.
    expect(
      await page.getByRole('table', { name: 'Report by question' }).locator('b').allTextContents(),
    ).toEqual(['90.0%', '0.400'])
    await page.getByText('It may change which option wins.').waitFor()
    await page.getByLabel('Correct how the model leans').check()
    await page.getByRole('button', { name: 'Calibrate' }).click()
    const sent = () =>
      requests
        .filter(({ url }) => url.endsWith('/v1/calibrations'))
        .map(({ body }) => JSON.parse(body).offsets)
    await expect.poll(sent).toEqual([undefined, true])
  })

  chromiumOnly('names the line of an example that the service refuses, and the request', async () => {
    const { page } = await open('/calibration')
    await page.getByRole('button', { name: 'Local playground key' }).waitFor()
    const lines = (await readFile(EXAMPLES, 'utf8')).split('\n').slice(0, 200)
    const id = 'a_long_name_'.repeat(30)
    lines[100] = (lines[100] ?? '')
      .replace('"team":', `"${id}":`)
      .replace(/"label":"\w+"/, '"label":"nobody"')
    await chooseFile(page, 'mine.jsonl', `\n${lines.join('\n')}`)
    await page.getByText('200 examples').waitFor()
    expect(await wider(page)).toBe(0)
    await page.getByRole('button', { name: 'Calibrate' }).click()
    await page.getByRole('alert').getByText('line 102 of the file').waitFor()
    await page
      .getByRole('alert')
      .getByText(/^req_[0-9a-f]{24}$/)
      .waitFor()
  })

  chromiumOnly('asks for a key if there is none', async () => {
    const { page } = await open('/calibration')
    await page.getByRole('button', { name: 'Local playground key' }).click()
    await page.getByRole('button', { name: 'Forget the key' }).click()
    await takeSample(page)
    await page.getByRole('button', { name: 'Calibrate' }).click()
    await page.getByRole('dialog').getByLabel('Key', { exact: true }).fill(inject('service').keys.standard)
    await page.getByRole('dialog').getByRole('button', { name: 'Use this key' }).click()
    await page.getByRole('button', { name: 'API key set' }).waitFor()
  })
})

const FIGURES = {
  accuracy: 0.8,
  ece: 0.1,
  brier: 0.3,
  nll: 0.5,
  mean_confidence: 0.9,
  coverage: 0,
  cutoff: null,
  n: 400,
}

/** What a report may say of a question. */
const FITTED = {
  signature: '00112233',
  type: 'choice',
  question_ids: ['team'],
  status: 'fitted',
  before: FIGURES,
  after: { ...FIGURES, temperature: 1, coverage_at_target_error: 0, error_when_covered: null },
} satisfies CalibrationQuestionReport

/** Whether all that follows an element in its line stands to the right of it. */
const isBeforeTheRest = (element: Element): boolean => {
  const rest = new Range()
  rest.selectNodeContents(element.parentElement ?? element)
  rest.setStartAfter(element)
  const { right } = element.getBoundingClientRect()
  return [...rest.getClientRects()].every(({ left }) => left > right - 1)
}
