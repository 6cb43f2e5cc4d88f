// Finds the parts of a compact JSON text that paths name. One walk finds all of them, however many there are. It steps
// only into what a path leads to and never recurses: the caller chooses the depth, but the stack is ours.
import type { Path, PathStep } from './path.ts'

/** UTF-16 code units of the text, end exclusive. */
export type Span = readonly [start: number, end: number]

/** For each path, the span of the value at its end, or null if the text has no such part. */
export const locate = (json: string, paths: readonly Path[]): (Span | null)[] => {
  const root: Branch = { span: null, children: null }
  const ends = paths.map(path => endOf(root, path))
  if (paths.length > 0) walk(json, root)
  return ends.map(({ span }) => span)
}

/** A point where paths end or continue. Kept small, because instructions may name a million of them. */
type Branch = { span: Span | null; children: Map<string, Branch> | null }

const endOf = (root: Branch, path: Path): Branch => {
  let branch = root
  for (const step of path) {
    branch.children ??= new Map()
    const name = nameOf(step)
    let child = branch.children.get(name)
    if (child === undefined) {
      child = { span: null, children: null }
      branch.children.set(name, child)
    }
    branch = child
  }
  return branch
}

/**
 * Never a number or a string of digits: a Map hashes those by value, so a caller could choose many that collide, and
 * each would be compared with all before it. The edge writes two spaces for a tab or line break, in keys too.
 */
const nameOf = (step: PathStep): string =>
  typeof step === 'number' ? `[${step}` : `.${step.replace(/[\b\t\n\f\r]/g, '  ')}`

/** A container being walked: `item` counts the elements of an array, and is -1 in an object. */
type Frame = { branch: Branch; start: number; item: number }

/** Writes the span of each branch's value into the branch. */
const walk = (json: string, root: Branch): void => {
  const open: Frame[] = []
  /** Steps into the value if a path continues in it, and over it otherwise. Returns where to read on. */
  const enter = (branch: Branch | undefined, at: number): number => {
    const bracket = json[at]
    if (branch?.children && (bracket === '{' || bracket === '[')) {
      open.push({ branch, start: at, item: bracket === '[' ? 0 : -1 })
      return at + 1
    }
    const end = skipValue(json, at)
    if (branch !== undefined) branch.span = [at, end]
    return end
  }

  for (
    let at = enter(root, 0), frame = open.at(-1);
    frame !== undefined && at < json.length;
    frame = open.at(-1)
  ) {
    const here = json[at]
    if (here === '}' || here === ']') {
      at += 1
      frame.branch.span = [frame.start, at]
      open.pop()
    } else if (here === ',') {
      at += 1
      if (frame.item >= 0) frame.item += 1
    } else if (frame.item >= 0) {
      at = enter(frame.branch.children?.get(nameOf(frame.item)), at)
    } else {
      const keyEnd = skipString(json, at)
      at = enter(frame.branch.children?.get(nameOf(keyName(json, at, keyEnd))), keyEnd + 1)
    }
  }
}

const keyName = (json: string, start: number, end: number): string => {
  const source = json.slice(start, end)
  if (!source.includes('\\')) return source.slice(1, -1)
  try {
    return JSON.parse(source) as string
  } catch {
    return ''
  }
}

/** In compact JSON a value ends at a comma, where its container closes, or with the text. */
const skipValue = (json: string, start: number): number => {
  let depth = 0
  for (let at = start; at < json.length; ) {
    const here = json[at]
    if (here === '"') {
      at = skipString(json, at)
      continue
    }
    const closes = here === '}' || here === ']'
    if (depth === 0 && (closes || here === ',')) return at
    if (here === '{' || here === '[') depth += 1
    else if (closes) depth -= 1
    at += 1
  }
  return json.length
}

const skipString = (json: string, start: number): number => {
  for (let at = start + 1; at < json.length; at++) {
    const here = json[at]
    if (here === '\\') at += 1
    else if (here === '"') return at + 1
  }
  return json.length
}
