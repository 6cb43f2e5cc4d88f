import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { invalidKey, keyHashIn } from '../access/bearer.ts'
import { ACCOUNT_READS } from '../access/limits.ts'
import { refusalOf } from '../access/refusal.ts'
import { ActivityQuery } from '../activity/query.ts'
import { readActivity, readUsage } from '../activity/reader.ts'
import { activityView, usageView } from '../activity/views.ts'
import { NoParameters, readQuery } from '../http/checked-input.ts'
import type { EdgeEnv } from '../http/visit.ts'
import { accountView, creditView, keyView } from '../money/views.ts'
import { describe } from '../openapi/describe.ts'
import { Problem } from '../problem.ts'

type AccountEnv = EdgeEnv & { Variables: { accountId: string; keyId: string } }

const RECENT_CREDITS = 20

/** What an account may read about itself with any of its keys. Decisions are not counted, and no balance is needed. */
export const accountRoutes = new Hono<AccountEnv>()
  .use(
    createMiddleware<AccountEnv>(async (c, next) => {
      const identity = await c.get('services').gatekeeper.identify(keyHashIn(c.req.raw.headers))
      if (!('keyId' in identity)) throw refusalOf(identity)
      // The visit's own accountId stays null: viewing activity is not itself activity.
      const visit = c.get('visit')
      visit.keyId = identity.keyId
      visit.rates = identity.rates
      c.set('accountId', identity.accountId)
      c.set('keyId', identity.keyId)
      if (identity.kind === 'rate_limited') {
        const { retryAfterSeconds } = identity
        const rule = `The account can be read at most ${ACCOUNT_READS.requestsPerSecond} times per second.`
        throw new Problem('rate_limited', rule, { retryAfterSeconds })
      }
      await next()
    }),
  )
  .get('/', describe.account, async c => {
    readQuery(c, NoParameters)
    const account = c.env.ACCOUNT.getByName(c.get('accountId'))
    const [summary, key, credits] = await Promise.all([
      account.summary(),
      account.key(c.get('keyId')),
      account.credits(RECENT_CREDITS, null),
    ])
    if (summary === null || key === null) throw invalidKey()
    return c.json({
      ...accountView(summary),
      key: keyView(key),
      recent_credits: (credits ?? []).map(creditView),
    })
  })
  .get('/usage', describe.accountUsage, async c => {
    readQuery(c, NoParameters)
    return c.json(usageView(await readUsage(c.env.ACTIVITY, c.get('accountId'), Date.now())))
  })
  .get('/activity', describe.accountActivity, async c => {
    const query = readQuery(c, ActivityQuery)
    return c.json(activityView(await readActivity(c.env.ACTIVITY, c.get('accountId'), query, Date.now())))
  })
