// `npm run screenshots`: takes the pictures in the README from a running service. Needs Chromium (see CHROMIUM).
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { launchChromium } from './chromium.ts'
import { readCommandLine } from './command-line.ts'
import { ROOT } from './root.ts'
import { bypassProxy } from './service/proxy.ts'
import { readSettings } from './service/settings.ts'
import { startService } from './service/start.ts'

const IMAGES = join(ROOT, 'docs', 'images')
const DESK = { viewport: { width: 1360, height: 900 } }
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 }

const answered = (page: Page) => page.locator('.verdicts:not(.stale)').waitFor()

const calibrate = async (page: Page) => {
  await page.getByRole('button', { name: 'Local playground key' }).waitFor()
  await page.getByRole('button', { name: 'Try 400 sample tickets' }).click()
  await page.getByLabel('Target error, percent').fill('10')
  await page.getByLabel('Correct how the model leans').check()
  await page.getByRole('button', { name: 'Calibrate' }).click()
  await page.getByRole('region', { name: 'Report', exact: true }).waitFor({ timeout: 300_000 })
}

const console_ = (page: Page) => page.getByText('Spend per day').first().waitFor()

type Shot = {
  name: string
  path: string
  options: BrowserContextOptions
  until: (page: Page) => Promise<unknown>
  whole?: true
}

const SHOTS: readonly Shot[] = [
  { name: 'playground-light', path: '/', options: DESK, until: answered },
  { name: 'playground-dark', path: '/', options: { ...DESK, colorScheme: 'dark' }, until: answered },
  { name: 'playground-phone', path: '/', options: PHONE, until: answered },
  { name: 'calibration', path: '/calibration', options: DESK, until: calibrate, whole: true },
  { name: 'console', path: '/console', options: DESK, until: console_ },
]

readCommandLine(
  `Usage: npm run screenshots
Starts the service and retakes the pictures in docs/images with the Chromium at CHROMIUM.`,
  {},
)
bypassProxy()
// The browser first: if there is none, no service is left running.
const browser = await launchChromium()
const dataDir = await mkdtemp(join(tmpdir(), 'decider-screenshots-'))
const service = await startService({ ...readSettings(process.env), dataDir }).catch(async error => {
  await browser.close()
  await rm(dataDir, { recursive: true, force: true })
  console.error(error instanceof Error ? error.message : 'The service could not be started.')
  process.exit(1)
})
try {
  for (const { name, path, options, until, whole } of SHOTS) {
    const context = await browser.newContext({ ...options, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(service.url + path)
    await until(page)
    await page.evaluate(() => document.fonts.ready)
    await page.screenshot({ path: join(IMAGES, `${name}.png`), fullPage: whole === true })
    await context.close()
    console.log(`docs/images/${name}.png`)
  }
} finally {
  await browser.close()
  await service.stop()
  await rm(dataDir, { recursive: true, force: true })
}
