import { resolve } from 'node:path'
import { defineConfig } from 'vite'
import { scalarBundle } from './scalar-bundle.ts'

const page = (name: string) => resolve(import.meta.dirname, `${name}.html`)

export default defineConfig({
  root: import.meta.dirname,
  plugins: [scalarBundle()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: resolve(import.meta.dirname, '..', 'dist', 'web'),
    emptyOutDir: true,
    target: 'es2022',
    // Every asset is its own file: the page's policy allows neither inline code nor data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // The licences of bundled packages must be distributed with them.
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: {
        index: page('index'),
        docs: page('docs'),
      },
    },
  },
  // For working on the pages alone: run `npx vite web` next to `npm run dev`.
  server: {
    proxy: Object.fromEntries(
      ['/v1', '/dev', '/healthz', '/openapi.json'].map(path => [
        path,
        `http://127.0.0.1:${process.env.EDGE_PORT ?? 8787}`,
      ]),
    ),
  },
})
