import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'

// For each file it would warn of secrets that are missing: they are bound below.
process.env.WRANGLER_LOG ??= 'error'

export default defineConfig({
  test: {
    // What passes says nothing: the log lines and faults that tests provoke are theirs to look at.
    silent: 'passed-only',
    projects: [
      {
        // Rules: pure code, in Node.
        test: {
          name: 'rules',
          // Property tests take seconds on two busy cores.
          testTimeout: 60_000,
          include: ['{src,scorer,scripts,web/src}/**/*.test.ts'],
          exclude: ['**/*.worker.test.ts', '**/node_modules/**'],
        },
      },
      {
        // Handlers and Durable Objects: inside workerd.
        logLevel: 'error', // Vite would warn of each source map in the Stripe SDK: their sources are not published.
        plugins: [
          cloudflareTest({
            // Nor does workerd tell of each fault that a test throws at it.
            verbose: false,
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                ADMIN_SECRET: 'an admin secret for tests',
                STRIPE_WEBHOOK_SECRET: 'whsec_tests',
                SCORER_SECRET: `tests:${'A'.repeat(43)}`,
                TENANT_SECRET: 'a tenant secret for tests',
                PROFILE_KEYS: `tests:${'A'.repeat(43)}`,
              },
            },
          }),
        ],
        test: {
          name: 'worker',
          testTimeout: 60_000,
          include: ['src/**/*.worker.test.ts'],
          globalSetup: ['src/testing/unruly-scorer.ts'],
        },
      },
      {
        // Black box: the built Worker and the real scorer with the real model.
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**', '**/node_modules/**'],
          globalSetup: ['test/setup/service.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
