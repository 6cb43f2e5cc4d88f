/** How far the top probability of k options is above an even split: 0 for an even split, 1 when it has all the mass. */
export const normalized = (top: number, options: number): number =>
  options === 1 ? 1 : within01((top - 1 / options) / (1 - 1 / options))

/**
 * How tightly the mass of k levels lies around the most likely one: 1 when all of it is there, 0 when it is at least
 * as far away as an even split is from its own middle.
 */
export const concentration = (probabilities: readonly number[], mode: number): number => {
  const levels = probabilities.length
  const middle = (levels - 1) / 2
  let spread = 0
  let even = 0
  probabilities.forEach((probability, level) => {
    spread += probability * Math.abs(level - mode)
    even += Math.abs(level - middle) / levels
  })
  return within01(1 - spread / even)
}

const within01 = (value: number): number => Math.min(1, Math.max(0, value))
