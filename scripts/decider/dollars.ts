/** `-1.00` as `-$1.00`. */
export const dollars = (amount: string): string => `$${amount}`.replace('$-', '-$')
