// Text that people read in a terminal.

/** Text from elsewhere, with everything replaced that could control a terminal. */
export const legible = (text: string): string => text.replace(/\p{C}/gu, '\uFFFD')

/** Columns as wide as their widest cell, with a rule below the headings; columns of numbers are right-aligned. */
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
