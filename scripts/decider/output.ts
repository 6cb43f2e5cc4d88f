import { inColumns, legible, legibleJson } from '../terminal.ts'
import type { Answer } from './client.ts'

/** The output of a command: `data` for programs, and how to show it to a person. */
export type Output =
  | { kind: 'table'; data: unknown; rows: readonly Row[]; empty: string; note?: string }
  | { kind: 'record'; data: unknown; fields: Row; note?: string }
  /** One value alone, so that it can be piped on. */
  | { kind: 'value'; data: unknown; value: string; note?: string }

export type Row = Readonly<Record<string, Cell>>
type Cell = string | number | boolean | null | undefined

export const write = (output: Output, as: 'json' | 'terminal' | 'lines'): string => {
  if (as === 'json') return legibleJson(output.data)
  switch (output.kind) {
    case 'value':
      return plain(output.value)
    case 'record':
      return as === 'lines' ? separated([output.fields]) : fieldsOf(output.fields)
    case 'table':
      if (as === 'lines') return separated(output.rows)
      return output.rows.length === 0 ? output.empty : tableOf(output.rows)
  }
}

/** For other programs: one line per row, columns separated by tabs. */
const separated = (rows: readonly Row[]): string =>
  rows.map(row => Object.values(row).map(plain).join('\t')).join('\n')

/** A list that the service answered, one row an entry. After one page of a longer list, says how to continue. */
export const listOf = (answer: Answer, rowOf: (entry: Answer) => Row, empty: string): Output => ({
  kind: 'table',
  data: answer,
  rows: answer.data.map(rowOf),
  empty,
  ...(answer.next_cursor && { note: `There are more. To continue, add --cursor ${answer.next_cursor}` }),
})

const tableOf = (rows: readonly Row[]): string => {
  const heads = Object.keys(rows[0] ?? {})
  const isNumber = heads.map(head => rows.every(row => typeof row[head] === 'number'))
  return inColumns([heads, ...rows.map(row => heads.map(head => plain(row[head])))], isNumber)
}

const fieldsOf = (fields: Row): string => {
  const width = Math.max(...Object.keys(fields).map(name => name.length))
  return Object.entries(fields)
    .map(([name, value]) => `${name.padEnd(width)}  ${plain(value)}`)
    .join('\n')
}

const plain = (cell: Cell): string =>
  cell === null || cell === undefined || cell === '' ? '–' : legible(String(cell))
