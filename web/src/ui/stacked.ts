type Layer = { values: readonly (number | null)[] }

/**
 * Layers as bars that stand on each other, the first one lowest; where there is nothing, there is no bar. The highest
 * comes first, to be drawn behind the ones below it.
 */
export const stacked = <L extends Layer>(layers: readonly L[]): L[] => {
  const sums: number[] = []
  return layers
    .map(layer => ({
      ...layer,
      values: layer.values.map((value, at) => {
        const sum = (sums[at] ?? 0) + (value ?? 0)
        sums[at] = sum
        return sum === 0 ? null : sum
      }),
    }))
    .reverse()
}
