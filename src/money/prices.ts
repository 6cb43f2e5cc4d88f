/** $0.10 a million input tokens, $0.02 a million of cached ones: whole nanodollars a token, so nothing is rounded. */
export const costOf = (inputTokens: number, cachedTokens: number): number =>
  (inputTokens - cachedTokens) * 100 + cachedTokens * 20
