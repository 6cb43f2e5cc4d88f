import { metered, unmetered } from './access/metered.ts'
import { accountRoutes } from './account/routes.ts'
import { adminRoutes } from './admin/routes.ts'
import { decide } from './decision/decide.ts'
import { openai } from './dialects/openai/openai.ts'
import { systemone } from './dialects/systemone/systemone.ts'
import { everyResponse } from './http/every-response.ts'
import { healthOf } from './http/health.ts'
import { jsonResponse } from './http/json-response.ts'
import { refuseMethod, refuseRoute, respondWithProblem } from './http/refusal.ts'
import { factory, speaking } from './http/visit.ts'
import { modelList, openaiModelList, servedModels } from './models/models.ts'
import { stripeRoutes } from './money/stripe-routes.ts'
import type { Services } from './services.ts'

const decisions = metered((body, c) => decide(body, c.get('dialect'), c.get('services'), c.get('visit')))

/** The whole API. */
export const buildApp = (servicesOf: (env: Env) => Services) =>
  factory
    .createApp()
    .use(everyResponse(servicesOf))
    .use('/v1/systemone', speaking(systemone))
    .use('/openai/*', speaking(openai))

    .post('/v1/decisions', decisions)
    .post('/v1/altdecisions', decisions)
    .post('/v1/systemone', decisions)
    .post('/openai/v1/decisions', decisions)

    .get(
      '/v1/models',
      unmetered(async ({ var: { services } }) => modelList(await servedModels(services), services.now())),
    )
    .get(
      '/openai/v1/models',
      unmetered(async ({ var: { services } }) => openaiModelList(await servedModels(services))),
    )
    .get('/healthz', async c => jsonResponse(await healthOf(c.get('services').scorer)))

    .route('/v1/account', accountRoutes)
    .route('/admin/v1', adminRoutes)
    .route('/webhooks/stripe', stripeRoutes)

    .on(
      'ALL',
      ['/v1/decisions', '/v1/altdecisions', '/v1/systemone', '/openai/v1/decisions'],
      refuseMethod('POST'),
    )
    .on('ALL', ['/v1/models', '/openai/v1/models', '/healthz'], refuseMethod('GET, HEAD'))
    .notFound(refuseRoute)
    .onError(respondWithProblem)
