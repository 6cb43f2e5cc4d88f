/** What the platform alone provides, whatever is configured. */
export const platform = {
  now: Date.now,
  randomBytes: (count: number): Uint8Array => crypto.getRandomValues(new Uint8Array(count)),
}
