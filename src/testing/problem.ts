import { Problem } from '../problem.ts'

/** The refusal that this work throws. */
export const problemOf = (work: () => unknown): Problem => {
  try {
    work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('nothing was refused')
}
