/** Stands in for zod in the bundle, where nothing uses it. */
export const toJSONSchema = (): never => {
  throw new Error('zod is not part of this Worker')
}
