import { whenDrawn } from '../ui/drawn.ts'
import { Icon } from '../ui/icon.tsx'
import * as desk from './desk.ts'

/** Removes `what` from the form as `remove` does; `Removed` then offers to undo it. */
export const RemoveButton = ({ what, remove }: { what: string; remove: () => void }) => (
  <button
    type="button"
    class="icon small"
    aria-label={labelOf(what)}
    onClick={event => removeRow(event.currentTarget, () => desk.remove(what, remove))}
  >
    <Icon name="remove" />
  </button>
)

const ROW = '.question-list > li, .options > .option'

/**
 * Removes a row from its list and moves the focus to the row that takes its place, or to the button that adds one.
 * Otherwise the browser would drop the focus, and keyboard users would start again at the top of the page.
 */
const removeRow = (button: HTMLElement, remove: () => void): void => {
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

/** Says what was removed last, and brings it back. Always on the page, or a screen reader would not announce it. */
export const Removed = () => {
  const last = desk.removed.value
  return (
    <p class={last === null ? 'unseen' : 'removed'} role="status">
      {last !== null && (
        <>
          <span>Removed {last.what}.</span>
          <button type="button" class="link" onClick={() => bringBack(last)}>
            Undo
          </button>
        </>
      )}
    </p>
  )
}

/** The button disappears with this, so the focus returns to where it was. */
const bringBack = ({ what, undo }: { what: string; undo: () => void }): void => {
  undo()
  whenDrawn(() => {
    const button = document.querySelector<HTMLElement>(
      `.questions [aria-label="${CSS.escape(labelOf(what))}"]`,
    )
    // It may be folded away or on another page of options.
    const instead = document.querySelector<HTMLElement>('.questions button')
    ;(button ?? instead)?.focus()
  })
}

const labelOf = (what: string): string => `Remove ${what}`
