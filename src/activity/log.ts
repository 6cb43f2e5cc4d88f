import { dayOf } from '../day.ts'
import { Gathered } from '../gathered.ts'
import type { Activity, ActivityRow } from './activity.ts'
import { objectName } from './days.ts'
import { writeLine } from './line.ts'
import type { ActivityLog } from './record.ts'

/** Rows wait this long for others from the same Worker, and travel together. */
const GATHER_MS = 250

/**
 * Writes each request's log line at once and, shortly after, its row for the account that made it. `reportLost` gets
 * the number of rows that did not arrive.
 */
export const activityLog = (
  activities: DurableObjectNamespace<Activity>,
  reportLost: (requests: number) => void,
): ActivityLog => {
  const rows = new Gathered<ActivityRow>(GATHER_MS, async (name, some) => {
    try {
      await activities.getByName(name).append(some)
    } catch {
      reportLost(some.length)
    }
  })
  return {
    record: entry => {
      writeLine(entry)
      // The account id is in the object's name.
      const { accountId, ...row } = entry
      return accountId === null ? null : rows.leave(objectName(accountId, dayOf(row.at)), row)
    },
  }
}
