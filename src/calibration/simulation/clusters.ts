import type { Draw } from './draw.ts'
import { normal } from './random.ts'

// Worlds whose cases come in a few kinds, as forms and templates produce. Here ties, near ties and the order of
// kinds decide what a cutoff accepts.

export type Clustered = {
  options: number
  /** Standard deviation of a case's gap around that of its kind; 0 makes exact ties. */
  jitter: number
  /** All equally likely. */
  kinds: readonly Kind[]
}

type Kind = {
  /** How far the highest logit is above those of the other contenders. */
  gap: number
  /** Options worth considering, the highest among them; all others are impossible. */
  contenders: number
  /** How often the highest is wrong; the other contenders are then equally likely to be right. */
  error: number
}

const IMPOSSIBLE = 40

export const drawClustered = ({ options, jitter, kinds }: Clustered, random: () => number): Draw => {
  const kind = kinds[Math.floor(random() * kinds.length)]
  if (kind === undefined) throw new RangeError('a world needs a kind of case')
  const gap = kind.gap + jitter * normal(random)
  // Any option may be the highest; otherwise its label would tell the folds whether a row is wrong.
  const highest = Math.floor(random() * options)
  const places = Array.from({ length: options }, (_, option) => (option - highest + options) % options)
  const { contenders, error } = kind
  return {
    logits: places.map(place => (place === 0 ? 0 : place < contenders ? -gap : -IMPOSSIBLE)),
    truth: places.map(place => (place === 0 ? 1 - error : place < contenders ? error / (contenders - 1) : 0)),
  }
}
