import type { Activity } from './activity.ts'
import { dayOf, objectName } from './days.ts'
import { writeLine } from './line.ts'
import type { ActivityLog, ActivityRecord } from './record.ts'

/** Rows wait this long for others of the same Worker, and travel together. */
const GATHER_MS = 250
/** Whoever carries them and has not set out by then never will: its request was cut down. */
const CARRIER_GONE_AFTER_MS = 2_000

type Row = ActivityRecord & { accountId: string }

/** Plain data, shared by the requests of one isolate: whoever comes first carries what the others leave here. */
const gathered: Row[] = []
let carriedSince = Number.NEGATIVE_INFINITY

/** Writes each request's line at once, and its row for the account that made it shortly after. */
export const activityLog = (activities: DurableObjectNamespace<Activity>): ActivityLog => ({
  record: async entry => {
    writeLine(entry)
    if (!belongsToAccount(entry)) return
    gathered.push(entry)
    const now = Date.now()
    if (now - carriedSince < CARRIER_GONE_AFTER_MS) return
    carriedSince = now
    await new Promise(resolve => setTimeout(resolve, GATHER_MS))
    carriedSince = Number.NEGATIVE_INFINITY
    const rows = gathered.splice(0)
    const byObject = Map.groupBy(rows, row => objectName(row.accountId, dayOf(row.at)))
    await Promise.all(
      Array.from(byObject, ([name, some]) => activities.getByName(name).append(some.map(withoutMoney))),
    )
  },
})

const belongsToAccount = (entry: ActivityRecord): entry is Row => entry.accountId !== null

/** What an account is called is in the object's name, and what a request cost follows from its tokens. */
const withoutMoney = ({ accountId: _, costNanodollars: __, ...row }: Row) => row
