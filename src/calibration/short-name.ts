const LONGEST_ID = 60

/** A question by its first two ids; it may have been asked under thousands, each as long as a body. */
export const shortName = (ids: readonly string[]): string =>
  ids.slice(0, 2).map(shortened).join(', ') + (ids.length > 2 ? `, +${ids.length - 2}` : '')

// Half a character at the end would make the answer one that a strict reader refuses.
const shortened = (id: string): string =>
  id.length > LONGEST_ID ? `${id.slice(0, LONGEST_ID).toWellFormed()}…` : id
