/** 4,000,000 instead of 4000000, for people. */
export const grouped = (count: number): string => count.toLocaleString('en-US')
