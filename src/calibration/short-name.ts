/** A question by its first two ids; it may have been asked under thousands. */
export const shortName = (ids: readonly string[]): string =>
  ids.slice(0, 2).join(', ') + (ids.length > 2 ? `, +${ids.length - 2}` : '')
