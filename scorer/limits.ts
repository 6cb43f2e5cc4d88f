// The most that one request may ask. The edge refuses more with a clear error, a scorer as a broken protocol, and the
// pages do not let it be written.

export const MAX_QUESTIONS = 128
export const MAX_OPTIONS = 1_024
export const MIN_LEVELS = 2
export const MAX_LEVELS = 10
