/** Adds rows to a sum of rows. The loops are by index because an iterator takes longer than the sums. */
export const addRows = (sum: Float64Array, rows: Float32Array | Float64Array): void => {
  for (let row = 0; row < rows.length; row += sum.length)
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (rows[row + i] ?? 0)
}
