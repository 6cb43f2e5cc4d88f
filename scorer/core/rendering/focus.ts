import type { Ranges } from '../../backend/backend.ts'
import type { Spans } from '../tokenizer/tokenizer.ts'
import type { Span } from './locate.ts'

type Range = Ranges[number]

/** The rows of the state stream that overlap the parts. `offset` markers come before the first text token. */
export const focusedRows = (parts: readonly Span[], spans: Spans, offset: number): Ranges => {
  const ranges = parts
    .map(([start, end]): Range => {
      const first = firstAbove(spans.ends, start)
      const behind = firstAbove(spans.starts, end - 1)
      return [first + offset, behind + offset]
    })
    .filter(([first, behind]) => first < behind)
    .sort((a, b) => a[0] - b[0])
  const merged: Range[] = []
  for (const range of ranges) {
    const last = merged.at(-1)
    if (last !== undefined && range[0] <= last[1]) {
      merged[merged.length - 1] = [last[0], Math.max(last[1], range[1])]
    } else {
      merged.push(range)
    }
  }
  return merged
}

/** The index of the first item greater than `bound`. Starts and ends of tokens never decrease. */
const firstAbove = (ascending: Int32Array, bound: number): number => {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? 0) > bound) high = middle
    else low = middle + 1
  }
  return low
}
