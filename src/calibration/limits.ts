// Apart from the reading of requests, because the pages say these limits before anything is sent.

export const MIN_EXAMPLES = 200
export const MAX_EXAMPLES = 5_000
/** What a question needs to be fitted. */
export const MIN_LABELS = 50
export const DEFAULT_TARGET_ERROR = 0.05
