const MAX_NAME = 64

/** A name of the caller's own, as much of it as a message should hold: it may be as long as a body. */
export const cut = (name: string): string =>
  // Half a character at the end would make the answer one that a strict reader refuses.
  name.length > MAX_NAME ? `${name.slice(0, MAX_NAME).toWellFormed()}…` : name
