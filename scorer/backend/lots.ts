/**
 * Groups neighbours into lots whose total length is at most `most` and whose items are all `alike` the first.
 * An item longer than `most` is a lot of its own.
 */
export function* lotsOf<T>(
  all: Iterable<T>,
  most: number,
  lengthOf: (one: T) => number,
  alike: (first: T, one: T) => boolean = () => true,
): Generator<readonly T[]> {
  let lot: T[] = []
  let length = 0
  for (const one of all) {
    const own = lengthOf(one)
    const [first] = lot
    if (first !== undefined && (length + own > most || !alike(first, one))) {
      yield lot
      lot = []
      length = 0
    }
    lot.push(one)
    length += own
  }
  if (lot.length > 0) yield lot
}
