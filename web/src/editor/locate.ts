import { ensureSyntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'
import type { SyntaxNode } from '@lezer/common'

const PARSE_BUDGET_MS = 200

/** The span of the JSON text that a dotted path names, or of its nearest ancestor. Keys may hold dots. */
export const locate = (state: EditorState, path: string): { from: number; to: number } => {
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_BUDGET_MS)
  let node: SyntaxNode | null = tree?.topNode.firstChild ?? null
  let found = { from: 0, to: Math.min(1, state.doc.length) }
  let rest = path
  while (node !== null && rest !== '') {
    if (node.name === 'Array') {
      const index = Number.parseInt(rest, 10)
      const item = itemsOf(node)[index]
      if (item === undefined) break
      found = { from: item.from, to: item.to }
      rest = rest.slice(String(index).length + 1)
      node = item
      continue
    }
    let best: { key: string; name: SyntaxNode; value: SyntaxNode | null } | null = null
    for (const property of node.getChildren('Property')) {
      const name = property.getChild('PropertyName')
      if (name === null) continue
      const key = keyOf(state.sliceDoc(name.from, name.to))
      const fits = rest === key || rest.startsWith(`${key}.`)
      if (fits && (best === null || key.length > best.key.length))
        best = { key, name, value: property.lastChild }
    }
    if (best === null) break
    found = { from: best.name.from, to: best.name.to }
    rest = rest.slice(best.key.length + 1)
    node = best.value
  }
  return found
}

const VALUES = ['Object', 'Array', 'String', 'Number', 'True', 'False', 'Null']

const itemsOf = (array: SyntaxNode): SyntaxNode[] =>
  VALUES.flatMap(name => array.getChildren(name)).sort((a, b) => a.from - b.from)

const keyOf = (quoted: string): string => {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return quoted
  }
}
