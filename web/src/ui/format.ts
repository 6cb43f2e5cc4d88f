/** `92.4%`; never rounds a possibility away or up to certainty. */
export const percent = (share: number): string => {
  if (share > 0 && share < 0.001) return '< 0.1%'
  if (share < 1 && share > 0.999) return '> 99.9%'
  return `${(share * 100).toFixed(1)}%`
}

export const count = (value: number): string => value.toLocaleString('en-US')

/** Dollars to the nanodollar, without meaningless trailing zeros. */
export const dollars = (value: number): string => {
  const [whole = '0', fraction = ''] = Math.abs(value).toFixed(9).split('.')
  return `${value < 0 ? '-' : ''}$${count(Number(whole))}.${fraction.replace(/0+$/, '').padEnd(2, '0')}`
}

/** Dollars to the cent. Less than half a cent below nothing is nothing, not `-$0.00`. */
export const cents = (value: number): string =>
  value.toLocaleString('en-US', { style: 'currency', currency: 'USD', signDisplay: 'negative' })

export const milliseconds = (value: number): string =>
  value < 10
    ? `${value.toFixed(1)} ms`
    : value < 10_000
      ? `${Math.round(value)} ms`
      : `${(value / 1000).toFixed(1)} s`

export const bytes = (value: number): string =>
  value < 1_000
    ? `${value} B`
    : value < 1_000_000
      ? `${(value / 1_000).toFixed(1)} kB`
      : `${(value / 1_000_000).toFixed(2)} MB`

export const plural = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? '' : 's'}`
