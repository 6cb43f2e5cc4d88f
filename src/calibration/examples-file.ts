// What the page and the command line both know of a file of examples before it is sent.

/** Its text; null where it is not UTF-8: read as such it would be scored with letters lost, and nobody would know. */
export const textOf = (bytes: ArrayBuffer | Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return null
  }
}

/** Which example a refusal's `param` is about, from 0; null where it is about none. */
export const exampleIn = (param: string | null): number | null => {
  const example = /^examples\.(\d+)/.exec(param ?? '')?.[1]
  return example === undefined ? null : Number(example)
}
