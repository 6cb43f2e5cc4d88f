import type { Env, Handler, Hono } from 'hono'
import { generateSpecs } from 'hono-openapi'
import { MAX_QUESTIONS } from '../../scorer/limits.ts'
import { limitsOf } from '../access/limits.ts'
import { costNanodollars } from '../decision/usage.ts'
import { MAX_BODY_BYTES } from '../http/body-limit.ts'
import { STRENGTHS } from '../models/strengths.ts'
import { NANODOLLARS_PER_DOLLAR } from '../money/nanodollars.ts'
import { components } from './components.ts'
import { grouped } from './grouped.ts'

/** Serves the OpenAPI 3.1 document of an app's described routes, generated on first request. */
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
          `A decision service: send one \`state\` and up to ${MAX_QUESTIONS} typed questions, and every question comes back with a ` +
          'probability for each of its options. The model generates no text and refuses no question, and no request ' +
          `content is kept. ${STRENGTHS} Try it in the [playground](/).\n\n${BODIES}\n\n${LIMITS_AND_PRICES}`,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This service' }],
      security: [{ apiKey: [] }],
      tags: [
        { name: 'Decisions', description: 'Typed questions about a state.' },
        { name: 'Calibration', description: 'Profiles that calibrate confidence on your own data.' },
        { name: 'Models', description: 'Immutable snapshots and the aliases that point to them.' },
        { name: 'Compatible APIs', description: 'The same decisions, for the SDKs of other services.' },
        { name: 'Account', description: 'An account’s balance, usage and activity.' },
        { name: 'Service', description: 'Liveness.' },
      ],
      components: components(),
    },
  })

const BODIES =
  `**Bodies.** JSON in UTF-8, of at most ${grouped(MAX_BODY_BYTES)} bytes, whatever \`Content-Type\` says. The ` +
  'order of keys and the digits of numbers stay as sent. Refused are a key that is repeated ' +
  'within one object, `NaN`, `Infinity`, half a surrogate pair (which cutting a text within an emoji leaves) and ' +
  'compressed bodies, except for zstd at `/v1/systemone`.'

const standard = limitsOf('standard')
const playground = limitsOf('playground')
const perMillion = (cached: number) =>
  `$${(costNanodollars(1_000_000, cached) / NANODOLLARS_PER_DOLLAR).toFixed(2)}`

const LIMITS_AND_PRICES =
  `**Limits.** A key makes up to ${standard.requestsPerSecond} requests per second, in bursts of up to ` +
  `${standard.burst} (a playground key ${playground.requestsPerSecond}, in bursts of up to ${playground.burst}), and ` +
  `uses up to ${grouped(standard.tokensPerMinute)} input tokens per minute. A request may be sent again after ` +
  '429 or 503, once `Retry-After` seconds have passed; do not repeat a request refused with another 4xx unchanged.\n\n' +
  `**Prices.** A million input tokens cost ${perMillion(0)}, those of a state that comes from the cache ` +
  `${perMillion(1_000_000)}. Output is free, and so is every refused request.`
