/** A target as a percentage: with one decimal like other shares, but with more rather than rounded to another target. */
export const writtenTarget = (target: number): string =>
  target.toLocaleString('en', { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 10 })
