// What people read in a terminal.

/** Somebody else's words: what could steer a terminal is kept out of them. */
export const legible = (text: string): string => text.replace(/\p{C}/gu, '\uFFFD')

/** Columns as wide as their widest cell, the heads of the first line ruled off; those of numbers end flush. */
export const inColumns = (
  lines: readonly (readonly string[])[],
  isNumber: readonly boolean[] = [],
): string => {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map(line => (line[column] ?? '').length)),
  )
  const written = lines.map(line =>
    line
      .map((cell, column) =>
        isNumber[column] ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
  written.splice(1, 0, widths.map(width => '─'.repeat(width)).join('  '))
  return written.join('\n')
}
