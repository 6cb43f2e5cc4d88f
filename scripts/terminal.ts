// Text that people read in a terminal.

/**
 * Text from elsewhere, with everything replaced that could control a terminal. Joiners stay: they steer nothing, and
 * words of Persian or Sinhala are misspelt without them.
 */
export const legible = (text: string): string => text.replace(/(?!\p{Join_Control})\p{C}/gu, '\uFFFD')

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
