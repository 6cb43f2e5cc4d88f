// What the page and the command line both know about a file of examples before it is sent.

/** Its text, or null if it is not UTF-8. Decoded anyway, it would be scored with letters lost, unnoticed. */
export const textOf = (bytes: ArrayBuffer | Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return null
  }
}

/** The index of the example that a refusal's `param` names, from 0; null if it names none. */
export const exampleIn = (param: string | null): number | null => {
  const example = /^examples\.(\d+)/.exec(param ?? '')?.[1]
  return example === undefined ? null : Number(example)
}
