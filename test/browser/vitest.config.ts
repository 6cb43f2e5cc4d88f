import { defineConfig } from 'vitest/config'

/**
 * `npm run test:browser`: the pages in Chromium or Firefox, against the running service.
 * Not part of `npm test`, which needs no browser.
 */
export default defineConfig({
  test: {
    name: 'browser',
    include: ['test/browser/**/*.test.ts'],
    globalSetup: ['test/setup/service.ts'],
    testTimeout: 60_000,
    hookTimeout: 180_000,
    // Machines may be busy.
    expect: { poll: { timeout: 20_000 } },
    fileParallelism: false,
  },
})
