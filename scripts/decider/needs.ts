import type { Call, Command } from './command.ts'

/** Why a command line does not choose one whole set of the options that the command needs; null if it does. */
export const unmetNeedOf = ({ needs = [] }: Command, options: Call['options']): string | null => {
  const isGiven = (name: string) => options[name] !== undefined
  const [only, ...others] = needs
  if (only === undefined) return null
  const [chosen, beside] = others.length === 0 ? [only] : needs.filter(set => set.some(isGiven))
  if (chosen === undefined) return `Give ${inWords(needs)}.`
  if (beside !== undefined) return `Give --${chosen.find(isGiven)} or --${beside.find(isGiven)}, not both.`
  const missing = chosen.find(name => !isGiven(name))
  return missing === undefined ? null : `--${missing} is required.`
}

const inWords = (sets: readonly (readonly string[])[]): string => {
  const each = sets.map(set => set.map(name => `--${name}`).join(' and '))
  return each.join(sets.some(set => set.length > 1) ? ', or ' : ' or ')
}
