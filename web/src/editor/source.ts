import { signal } from '@preact/signals'

/**
 * A text being edited. Four megabytes must not be copied at every key, so an editor hands over a way to read its
 * text, and the text is read when someone needs it.
 */
export class Source {
  #read: () => string
  #kept: string | null
  /** Counts edits made by a person. */
  readonly edits = signal(0)
  /** Counts texts put in from outside, which the editor on the page has to take over. */
  readonly replacements = signal(0)
  length: number

  constructor(text = '') {
    this.#kept = text
    this.#read = () => text
    this.length = text.length
  }

  read(): string {
    this.#kept ??= this.#read()
    return this.#kept
  }

  edited(read: () => string, length: number): void {
    this.#read = read
    this.#kept = null
    this.length = length
    this.edits.value++
  }

  replace(text: string): void {
    this.#kept = text
    this.length = text.length
    this.replacements.value++
  }
}
