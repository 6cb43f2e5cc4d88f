// Apart from the reading of bodies, because the pages say this limit before anything is sent.

export const MAX_BODY_BYTES = 4_000_000
