import { availableParallelism } from 'node:os'
import { cloudflareTest } from '@cloudflare/vitest-plugin'
import { defineConfig } from 'vitest/config'
import { unstable_readConfig } from 'wrangler'
import { bypassProxy } from './scripts/service/proxy.ts'

// Without this it would warn about missing secrets for each file. They are bound below.
process.env.WRANGLER_LOG ??= 'error'
// Where the shell sets NODE_ENV, each file would ask Cloudflare where this machine is.
process.env.CLOUDFLARE_CF_FETCH_ENABLED = 'false'
bypassProxy()

const WRANGLER_CONFIG = './wrangler.toml'
/** The top level, whatever CLOUDFLARE_ENV is. */
const LOCAL = ''

export default defineConfig({
  test: {
    // Passing tests print nothing: they check the log lines and faults that they provoke themselves.
    silent: 'passed-only',
    // Much of the time goes to waiting for other processes, so that two files at a time also suit two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        // In Node: the rules of the edge and the pages, and the scorer and scripts, whose tests also start real processes
        // with the real model.
        test: {
          name: 'node',
          // Property tests take seconds on two busy cores.
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // What a test spies on is itself again in the next one.
          restoreMocks: true,
          include: ['{src,scorer,scripts,web/src}/**/*.test.ts'],
          exclude: ['**/*.worker.test.ts'],
        },
      },
      {
        // Handlers and Durable Objects: inside workerd.
        logLevel: 'error', // Vite would warn about each source map in the Stripe SDK, whose sources are not published.
        plugins: [
          cloudflareTest({
            // workerd does not report each fault that a test provokes either.
            verbose: false,
            wrangler: { configPath: WRANGLER_CONFIG, environment: LOCAL },
            miniflare: {
              bindings: {
                // Wrangler prefers those of the shell, .env and .dev.vars, such as a key of Stripe's.
                ...unstable_readConfig({ config: WRANGLER_CONFIG, env: LOCAL }).vars,
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
          restoreMocks: true,
          include: ['src/**/*.worker.test.ts'],
          globalSetup: ['src/testing/unruly-scorer.ts'],
        },
      },
      {
        // Black box: the built Worker and the real scorer with the real model.
        test: {
          name: 'service',
          include: ['test/**/*.test.ts'],
          exclude: ['test/browser/**'],
          globalSetup: ['test/setup/service.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
