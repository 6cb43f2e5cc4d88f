import { whenDrawn } from './drawn.ts'

const ROW = '.question-list > li, .options > .option'

/**
 * Removes a row from its list and moves the focus to the row that takes its place, or to the button that adds one.
 * Otherwise the browser would drop the focus, and keyboard users would start again at the top of the page.
 */
export const removeRow = (button: HTMLElement, remove: () => void): void => {
  const list = button.closest(ROW)?.parentElement
  const at = rowsOf(list).findIndex(row => row.contains(button))
  remove()
  whenDrawn(() => {
    const left = rowsOf(list)
    const next = left[at] ?? left.at(-1)
    const adding = list?.querySelector('button.link') ?? list?.parentElement?.querySelector('.add button')
    const heir = next?.querySelector<HTMLElement>('[aria-label^="Remove"]') ?? adding
    if (heir instanceof HTMLElement) heir.focus()
  })
}

const rowsOf = (list: Element | null | undefined): Element[] =>
  [...(list?.children ?? [])].filter(child => child.matches(ROW))
