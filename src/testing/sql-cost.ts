import { vi } from 'vitest'

/** How many rows SQLite reads for the work, those it sorts included, and how many it gives out. */
export const costOf = (sql: SqlStorage, work: () => unknown): [read: number, given: number] => {
  let [read, given] = [0, 0]
  const exec = sql.exec.bind(sql)
  const counting = vi.spyOn(sql, 'exec').mockImplementation((query, ...bindings) => {
    const cursor = exec(query, ...bindings)
    const rows = cursor.toArray()
    read += cursor.rowsRead
    given += rows.length
    return {
      one: () => rows[0],
      toArray: () => rows,
      raw: () => rows.map(row => Object.values(row)),
    } as never
  })
  work()
  counting.mockRestore()
  return [read, given]
}
