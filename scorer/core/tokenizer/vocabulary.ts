// The vocabulary as a trie over UTF-16 code units, in flat arrays. A longest match walks it once, without creating
// strings or remembering any word it has seen.

/** The node at which a walk starts at the beginning of a word. Later pieces start at `continuation`. */
export const WORD_START = 0
const MISSING = -1
const CONTINUATION = '##'
// Slots of the hash table per edge. The table is at most half full, so a probe takes one or two steps.
const SLOTS_PER_EDGE = 2

export type Vocabulary = {
  /** The node at which a continuation starts. */
  readonly continuation: number
  /** The node reached from `node` along `unit`, or -1. */
  next(node: number, unit: number): number
  /** The id of the piece that ends at the node, or -1. */
  idAt(node: number): number
}

export const buildVocabulary = (pieces: ReadonlyMap<string, number>): Vocabulary => {
  const children: Map<number, number>[] = [new Map()]
  const ids: number[] = [MISSING]
  const nodeFor = (text: string): number => {
    let node = WORD_START
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      let child = children[node]?.get(unit)
      if (child === undefined) {
        child = children.length
        children[node]?.set(unit, child)
        children.push(new Map())
        ids.push(MISSING)
      }
      node = child
    }
    return node
  }
  // A word never contains `##`, which is punctuation, so both tries can share their nodes.
  const continuation = nodeFor(CONTINUATION)
  for (const [piece, id] of pieces) ids[nodeFor(piece)] = id

  const edges = children.length - 1
  const slots = 2 ** Math.ceil(Math.log2(edges * SLOTS_PER_EDGE))
  const mask = slots - 1
  const fromNode = new Int32Array(slots).fill(MISSING)
  const alongUnit = new Uint16Array(slots)
  const toNode = new Int32Array(slots)
  for (const [node, followers] of children.entries()) {
    for (const [unit, child] of followers) {
      let slot = hash(node, unit) & mask
      while (fromNode[slot] !== MISSING) slot = (slot + 1) & mask
      fromNode[slot] = node
      alongUnit[slot] = unit
      toNode[slot] = child
    }
  }
  const pieceAt = Int32Array.from(ids)

  return {
    continuation,
    next: (node, unit) => {
      for (let slot = hash(node, unit) & mask; ; slot = (slot + 1) & mask) {
        const from = fromNode[slot]
        if (from === MISSING) return MISSING
        if (from === node && alongUnit[slot] === unit) return toNode[slot] ?? MISSING
      }
    },
    idAt: node => pieceAt[node] ?? MISSING,
  }
}

const hash = (node: number, unit: number): number => {
  const mixed = Math.imul(node, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
