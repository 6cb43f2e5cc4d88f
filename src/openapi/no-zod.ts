/** Stands for zod in the bundle, where nothing is written in it. */
export const toJSONSchema = (): never => {
  throw new Error('zod is not part of this Worker')
}
