// Apart from the making and checking of keys, which need Node: the pages show hints too.

export const API_KEY_PREFIX = 'sk_decider_'

/** Enough of a key for its owner to recognise it, and too little to be of use to anyone else. */
export const hintOf = (key: string): string => `${key.slice(0, API_KEY_PREFIX.length + 4)}…`
