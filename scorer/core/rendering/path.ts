// Backtick paths: `tickets[4].text` in an instruction points at a part of a JSON state.
//
//   path  := (name | index | quoted) ("." name | index | quoted)*
//   index := "[" digits "]"      quoted := "[" JSON string "]"
//   name  := one or more characters other than . [ ] ` " and control characters
//
// Structured instructions arrive as JSON text, in which the quotes of a path are escaped.

export type PathStep = string | number
export type Path = readonly PathStep[]

/** The edge refuses a body that nests deeper, so a longer path leads to no part of any state. */
export const MAX_STEPS = 128

const QUOTED_PATH = /`([^`\n]+)`/g
// Matches exactly what JSON.parse accepts: when it throws, it takes a hundred times as long.
const STRING = String.raw`"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"`
const IS_STRING = new RegExp(`^${STRING}$`, 'u')
// JSON has no control characters, so a name has none either.
const NAME = String.raw`[^.[\]\x60"\x00-\x1f]+`
const STEP = new RegExp(
  String.raw`\[(?<index>\d+)\]|\[(?<quoted>${STRING})\]|(?<dot>\.)?(?<name>${NAME})`,
  'uy',
)

/** The paths that instructions name, in order. What does not parse, or is too long to lead anywhere, is prose. */
export const pathsIn = (instructions: string): Path[] => {
  const paths: Path[] = []
  for (const [, quoted] of instructions.matchAll(QUOTED_PATH)) {
    const path = quoted === undefined ? null : (parsePath(quoted) ?? parseEscaped(quoted))
    if (path !== null) paths.push(path)
  }
  return paths
}

const parseEscaped = (quoted: string): Path | null => {
  const text = `"${quoted}"`
  return quoted.includes('\\') && IS_STRING.test(text) ? parsePath(JSON.parse(text)) : null
}

/** The steps of a path, or null if the text is not a path. */
export const parsePath = (text: string): Path | null => {
  const steps: PathStep[] = []
  for (let at = 0; at < text.length; at = STEP.lastIndex) {
    STEP.lastIndex = at
    const parts = STEP.exec(text)?.groups
    if (parts === undefined) return null
    if (parts.index !== undefined) {
      steps.push(Number(parts.index))
    } else if (parts.name !== undefined) {
      // A name starts a path without a dot and continues it after one.
      if ((parts.dot === undefined) !== (at === 0)) return null
      steps.push(parts.name)
    } else {
      steps.push(JSON.parse(parts.quoted ?? '""'))
    }
    if (steps.length > MAX_STEPS) return null
  }
  // A copy, without the spare room for sixteen steps that a grown array keeps: there may be a million paths.
  return steps.slice()
}
