/** Which requests to show, newest first. */
export type ActivityFilter = {
  /** Unix milliseconds: `from` is inside the range, `until` is not. */
  from: number
  until: number
  requestId: string | null
  keyId: string | null
  path: string | null
  /** A status (`429`) or a class of them (`4xx`). */
  status: string | null
  errorCode: string | null
}

/** The row after which a page continues: its time and its number within the day. */
export type Position = { at: number; row: number }
