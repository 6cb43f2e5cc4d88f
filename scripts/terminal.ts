// Text that people read in a terminal.

/**
 * Text from elsewhere, with everything replaced that could control a terminal. Joiners stay: they steer nothing, and
 * words of Persian or Sinhala are misspelt without them.
 */
export const legible = (text: string): string => text.replace(STEERING, '\uFFFD')

/** JSON of the same data, for people and programs. By itself JSON escapes only some of those characters. */
export const legibleJson = (data: unknown): string =>
  JSON.stringify(data, null, 2).replace(STEERING, found => (found === '\n' ? found : escaped(found)))

const STEERING = /(?!\p{Join_Control})\p{C}/gu

const escaped = (character: string): string =>
  character
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

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
