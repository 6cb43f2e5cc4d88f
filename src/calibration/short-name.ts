import { cut } from '../decision/cut.ts'

const ROOM = 64

/** A question by its first two ids; it may have been asked under thousands, each as long as a body. */
export const shortName = (ids: readonly string[]): string =>
  ids
    .slice(0, 2)
    .map(id => cut(id, ROOM))
    .join(', ') + (ids.length > 2 ? `, +${ids.length - 2}` : '')
