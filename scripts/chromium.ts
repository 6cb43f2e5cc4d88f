import { type Browser, chromium } from 'playwright-core'

/**
 * Debian's headless shell, or the browser that CHROMIUM names. The shell is Chromium's engine without the windows
 * around it, and takes a third of the processor time.
 */
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell'

export const launchChromium = (...more: string[]): Promise<Browser> => {
  // The shell would fit letters to whole pixels, as no screen of today does.
  const args = ['--font-render-hinting=none', ...more]
  // Chromium has no sandbox for root, the user that tests run as in a container.
  if (process.getuid?.() === 0) args.push('--no-sandbox')
  return chromium.launch({ executablePath: CHROMIUM, args })
}
