import type { Env, Handler, Hono } from 'hono'
import { generateSpecs } from 'hono-openapi'
import { components } from './components.ts'

/** Serves the OpenAPI 3.1 document of an app's described routes, put together when it is first asked for. */
export const openApiDocument = <E extends Env>(app: Hono<E>): Handler<E> => {
  let text: string | undefined
  return async c => {
    text ??= JSON.stringify(await specification(app))
    return c.body(text, 200, { 'Content-Type': 'application/json' })
  }
}

export const specification = <E extends Env>(app: Hono<E>) =>
  generateSpecs(app, {
    documentation: {
      openapi: '3.1.0',
      info: {
        title: 'Decider',
        version: '1',
        summary: 'Typed questions in, calibrated probabilities out.',
        description:
          'A decision service: one `state` and up to 128 typed questions go in; every question comes back with a ' +
          'probability for each of its options. Nothing is generated, nothing is refused, nothing is kept. ' +
          'The [playground](/) asks it from your browser.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This service' }],
      security: [{ apiKey: [] }],
      tags: [
        { name: 'Decisions', description: 'Typed questions about a state.' },
        { name: 'Calibration', description: 'Profiles that make confidences honest on your own data.' },
        { name: 'Models', description: 'Immutable snapshots and the aliases that point to them.' },
        { name: 'Compatible APIs', description: 'The same decisions, for the SDKs of other services.' },
        { name: 'Account', description: 'What an account has, spent and did.' },
        { name: 'Service', description: 'Liveness.' },
      ],
      components: components(),
    },
  })
