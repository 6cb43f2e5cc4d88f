/** Longer names are no names: they may be as long as a body, and a refusal may repeat one in each of its faults. */
const MAX_NAME = 1_024

/** A name of the caller's own, or as much of it as an answer should hold. */
export const cut = (name: string, length = MAX_NAME): string =>
  // Half a character at the end would make the answer one that a strict reader refuses.
  name.length > length ? `${name.slice(0, length).toWellFormed()}…` : name
