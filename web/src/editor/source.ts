import { signal } from '@preact/signals'

/**
 * A text being edited. Four megabytes must not be copied at every keystroke, so an editor provides a function that
 * reads its text, which is called only when the text is needed.
 */
export class Source {
  #text: string | (() => string) = ''
  /** Counts edits made by a person. */
  readonly edits = signal(0)
  /** Counts texts set from outside, which the editor on the page has to take over. */
  readonly replacements = signal(0)
  length = 0

  read(): string {
    if (typeof this.#text === 'function') this.#text = this.#text()
    return this.#text
  }

  edited(read: () => string, length: number): void {
    this.#text = read
    this.length = length
    this.edits.value++
  }

  replace(text: string): void {
    this.#text = text
    this.length = text.length
    this.replacements.value++
  }
}
