export type Finding = { check: string; ok: boolean; detail: string }

/** Checks by name. Each returns what is good to know, or throws. */
export type Checks = Record<string, () => Promise<string> | string>

/** Something is wrong, with a message of our own. */
export class Wrong extends Error {}

export const findingsOf = (checks: Checks): Promise<Finding[]> =>
  Promise.all(
    Object.entries(checks).map(async ([check, look]) => {
      try {
        return { check, ok: true, detail: await look() }
      } catch (error) {
        return { check, ok: false, detail: error instanceof Wrong ? error.message : 'does not answer' }
      }
    }),
  )

/** What `read` returns; if it throws, the rule is broken. */
export const readable = <Thing>(read: () => Thing, rule: string): Thing => {
  try {
    return read()
  } catch {
    throw new Wrong(rule)
  }
}
