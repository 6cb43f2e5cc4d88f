import { setTimeout as delay } from 'node:timers/promises'
import { stopIfGone } from './in-order.ts'
import type { Job } from './job.ts'
import type { KeptInstruction, Shape } from './steps.ts'

/** Polling is enough: few jobs wait for memory, and the jobs they wait for take seconds. */
const LOOK_AGAIN_MS = 20

/**
 * Lends memory for an instruction's keys and values. It may have to wait for other jobs. This cannot deadlock as long
 * as no job asks before its state is encoded or while it holds another instruction: the jobs waited for then need
 * nothing from this one.
 */
export const withMemory = async <T>(
  { scratch, shape, waiter }: Pick<Job, 'scratch' | 'shape' | 'waiter'>,
  tokens: number,
  use: (room: KeptInstruction) => Promise<T>,
): Promise<T> => {
  const bytes = instructionBytes(tokens, shape)
  let taken = scratch.take(bytes)
  while (taken === null) {
    stopIfGone(waiter)
    await delay(LOOK_AGAIN_MS)
    taken = scratch.take(bytes)
  }
  try {
    return await use(roomIn(taken, tokens, shape))
  } finally {
    scratch.give(taken)
  }
}

/** The keys and values of all layers, in half precision. */
export const instructionBytes = (tokens: number, { layers, heads, headWidth }: Shape): number =>
  2 * layers * heads * tokens * headWidth * Uint16Array.BYTES_PER_ELEMENT

const roomIn = (
  { buffer, byteOffset }: Uint8Array<SharedArrayBuffer>,
  tokens: number,
  shape: Shape,
): KeptInstruction => {
  const bytes = instructionBytes(tokens, shape) / 2
  const part = (at: number) => new Uint16Array(buffer, byteOffset + at, bytes / Uint16Array.BYTES_PER_ELEMENT)
  return { tokens, keys: part(0), values: part(bytes) }
}
