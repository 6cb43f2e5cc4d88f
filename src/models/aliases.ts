/** The operator's own names for models. Each stands for an alias of the scorer or a snapshot. */
export type Aliases = ReadonlyMap<string, string>

/** Reads a JSON object that maps names to aliases or snapshots. A variable that is empty or absent names none. */
export const readAliases = (text: string | undefined): Aliases => {
  const parsed: unknown = JSON.parse(text || '{}')
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Error('MODEL_ALIASES must be a JSON object')
  return new Map(
    Object.entries(parsed).map(([name, target]) => {
      if (typeof target !== 'string') throw new Error('MODEL_ALIASES must map names to names')
      return [name, target]
    }),
  )
}
