import type { Tokens } from '../tokenizer/tokenizer.ts'

/** Builds a stream of tokens. Markers are counted as they are added: this count is what is billed as framing. */
export class TokenStream {
  readonly #parts: (number | Int32Array)[] = []
  markers = 0
  textTokens = 0

  mark(id: number): this {
    this.#parts.push(id)
    this.markers += 1
    return this
  }

  text(tokens: Tokens): this {
    this.#parts.push(tokens.ids)
    this.textTokens += tokens.ids.length
    return this
  }

  get length(): number {
    return this.markers + this.textTokens
  }

  build(): Int32Array {
    const ids = new Int32Array(this.length)
    let at = 0
    for (const part of this.#parts) {
      if (typeof part === 'number') {
        ids[at++] = part
      } else {
        ids.set(part, at)
        at += part.length
      }
    }
    return ids
  }
}
