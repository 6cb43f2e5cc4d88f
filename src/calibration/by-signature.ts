import { createHash } from 'node:crypto'
import { writtenText } from '../decision/unit.ts'
import { KeyedByCaller } from '../json/keyed-by-caller.ts'
import { asRead } from './as-read.ts'
import type { Asked, Example, Labelled } from './request.ts'

/** One question of one example. */
export type Asking = {
  /** Equal for states that the model cannot tell apart, whatever their size. */
  group: string
  /** The index of the example. */
  example: number
  /** The index of the question in it, and its id. */
  place: number
  id: string
}

type Asks<Row> = { firstAsked: Asked; ids: KeyedByCaller; rows: Row[] }

/** What examples say about each question, whatever its ids: a row for each time one asks it. */
export const bySignature = <Row>(
  examples: readonly Example[],
  rowOf: (labelled: Labelled, asking: Asking) => Row,
): Map<string, Asks<Row>> => {
  const asks = new Map<string, Asks<Row>>()
  for (const [example, { state, questions }] of examples.entries()) {
    const group = groupOf(state)
    for (const [place, [id, labelled]] of [...questions].entries()) {
      const { asked } = labelled
      const known = asks.get(asked.signature) ?? { firstAsked: asked, ids: new KeyedByCaller(), rows: [] }
      asks.set(asked.signature, known)
      known.ids.set(id, null)
      known.rows.push(rowOf(labelled, { group, example, place, id }))
    }
  }
  return asks
}

const groupOf = (state: Example['state']): string =>
  createHash('sha256')
    .update(`${typeof state === 'string' ? 'text' : 'json'} ${asRead(writtenText(state))}`)
    .digest('base64')
