import type { JsonObject } from '../../../../src/json/json.ts'

/**
 * The same request; with a profile, it names the profile's snapshot. No other accepts it, and an alias will one day stand
 * for another.
 */
export const pinned = (request: JsonObject): JsonObject => {
  const profile = request.get('calibration')
  const snapshot = typeof profile === 'string' ? snapshotIn(profile) : undefined
  return snapshot === undefined ? request : new Map([...request, ['model', snapshot]])
}

/** The snapshot that a token says it is for; undefined if it is no token, which the service will say. */
const snapshotIn = (token: string): string | undefined => {
  const [, , blob = ''] = token.split('.')
  try {
    const payload = atob(blob.replaceAll('-', '+').replaceAll('_', '/'))
    return /^\{"snapshot":"([^"\\]+)"/.exec(payload)?.[1]
  } catch {
    return undefined
  }
}
