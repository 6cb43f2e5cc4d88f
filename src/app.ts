import { accountRoutes } from './account/routes.ts'
import { doctorRoute } from './admin/doctor-route.ts'
import { adminRoutes } from './admin/routes.ts'
import { serveCalibration } from './calibration/serve.ts'
import { decide } from './decide.ts'
import { developmentKeyRoutes } from './development-key.ts'
import { openai } from './dialects/openai/openai.ts'
import { systemone } from './dialects/systemone/systemone.ts'
import { type Basics, everyResponse } from './http/every-response.ts'
import { jsonResponse } from './http/json-response.ts'
import { respondWithProblem } from './http/refusal.ts'
import { refuseUnserved } from './http/unserved.ts'
import { factory, serving, speaking } from './http/visit.ts'
import { MAX_DECISION_NODES, MAX_NODES } from './json/reader.ts'
import { leakRoutes } from './leaks/routes.ts'
import { metered, unmetered } from './metered.ts'
import { modelList, modelOf, openaiModelList, openaiModelOf, servedModels } from './models/models.ts'
import { stripeRoutes } from './money/stripe-routes.ts'
import { describe } from './openapi/describe.ts'
import { openApiDocument } from './openapi/document.ts'
import { platform } from './platform.ts'
import { healthOf } from './scorer/health.ts'
import type { Services } from './services.ts'

const decisions = metered(MAX_DECISION_NODES, decide)
const calibrations = metered(MAX_NODES, serveCalibration)

/** The whole API. */
export const buildApp = (servicesOf: (env: Env) => Services, basics: Basics = platform) => {
  const app = factory.createApp()
  return (
    app
      .use(everyResponse(basics))
      // The doctor comes before anything a broken configuration could break.
      .route('/admin/v1/doctor', doctorRoute)
      .use('/v1/systemone', speaking(systemone))
      .use('/openai/*', speaking(openai))
      // After the dialects, in which it must say so if the configuration keeps it from serving.
      .use(serving(servicesOf))

      .post('/v1/decisions', describe.decisions, decisions)
      .post('/v1/altdecisions', describe.altdecisions, decisions)
      .post('/v1/systemone', describe.systemone, decisions)
      .post('/openai/v1/decisions', describe.openaiDecisions, decisions)
      .post('/v1/calibrations', describe.calibrations, calibrations)

      .get(
        '/v1/models',
        describe.models,
        unmetered(async c => modelList(await servedModels(c.get('services')), c.get('services').now())),
      )
      .get(
        '/v1/models/:model',
        describe.model,
        unmetered(async c => modelOf(await servedModels(c.get('services')), c.req.param('model') ?? '')),
      )
      .get(
        '/openai/v1/models',
        describe.openaiModels,
        unmetered(async c => openaiModelList(await servedModels(c.get('services')))),
      )
      .get(
        '/openai/v1/models/:model',
        describe.openaiModel,
        unmetered(async c =>
          openaiModelOf(await servedModels(c.get('services')), c.req.param('model') ?? ''),
        ),
      )
      .get('/openapi.json', openApiDocument(app))
      .get('/healthz', describe.health, async c => jsonResponse(await healthOf(c.get('services').scorer)))

      .route('/v1/account', accountRoutes)
      .route('/admin/v1', adminRoutes)
      .route('/webhooks/stripe', stripeRoutes)
      .route('/webhooks/secret-scanning', leakRoutes)
      .route('/', developmentKeyRoutes)

      .notFound(refuseUnserved(app.router))
      .onError(respondWithProblem)
  )
}
