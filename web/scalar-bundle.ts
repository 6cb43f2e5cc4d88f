import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import register from '@scalar/fastify-api-reference'
import type { Plugin } from 'vite'

const FILE = 'docs/scalar.js'
const LICENSE = join(import.meta.dirname, '../node_modules/@scalar/fastify-api-reference/LICENSE')

/** Adds Scalar's self-contained bundle, licence first, to the pages: the reference then loads nothing from elsewhere. */
export const scalarBundle = (): Plugin => ({
  name: 'scalar-bundle',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: FILE, source: bundle() })
  },
  configureServer({ middlewares }) {
    middlewares.use(`/${FILE}`, (_, response) => {
      response.setHeader('Content-Type', 'text/javascript').end(bundle())
    })
  },
})

type Route = { url: string; handler(request: null, reply: Reply): string }
type Reply = { header(): Reply; send(body: string): string }
type Register = (fastify: object, options: object, done: () => void) => void

/** Where a browser blocks all cookies there is no store, without which Scalar would show nothing. */
const STORE =
  "try { localStorage.length } catch { Object.defineProperty(window, 'localStorage', { value: { getItem: () => null, setItem() {}, removeItem() {} } }) }"

/**
 * Of the packages that contain the bundle, this one has the fewest dependencies: a tenth of @scalar/api-reference's.
 * It offers the bundle only as the answer of a Fastify route, so we call that route.
 */
const bundle = (): string => {
  const routes: Route[] = []
  const fastify = { route: (route: Route) => routes.push(route), hasPlugin: () => false }
  ;(register as unknown as Register)(fastify, { configuration: { url: '/openapi.json' } }, () => undefined)
  const script = routes.find(({ url }) => url.endsWith('.js'))
  if (script === undefined) throw new Error('@scalar/fastify-api-reference no longer serves its bundle')
  const reply: Reply = { header: () => reply, send: body => body }
  return `/*!\n${readFileSync(LICENSE, 'utf8')}*/\n${STORE}\n${script.handler(null, reply)}`
}
