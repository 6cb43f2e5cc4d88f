import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

type Props = {
  label: ComponentChildren
  class?: string
  /** Opens automatically when this becomes true: something in it needs attention. */
  openWhen?: boolean
  children: ComponentChildren
}

/** A button that opens a small panel. Escape, a click elsewhere or leaving it with Tab closes it. */
export const Menu = ({ label, class: name, openWhen = false, children }: Props) => {
  const details = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (openWhen && details.current !== null) details.current.open = true
  }, [openWhen])
  useEffect(() => {
    const closeWhenOutside = (event: Event) => {
      const element = details.current
      if (element?.open && !event.composedPath().includes(element)) element.open = false
    }
    addEventListener('pointerdown', closeWhenOutside)
    addEventListener('focusin', closeWhenOutside)
    return () => {
      removeEventListener('pointerdown', closeWhenOutside)
      removeEventListener('focusin', closeWhenOutside)
    }
  }, [])
  const closeOnEscape = (event: KeyboardEvent) => {
    const element = details.current
    if (event.key !== 'Escape' || !element?.open) return
    event.stopPropagation()
    element.open = false
    element.querySelector('summary')?.focus()
  }
  return (
    <details class={`menu ${name ?? ''}`} ref={details} onKeyDown={closeOnEscape}>
      <summary class="quiet">{label}</summary>
      {/* Keeps the focus inside when a click lands on something that takes none: in Safari, buttons and check boxes.
          On the whole menu, tabindex would make Tab skip all of it in Chromium. */}
      <div class="menu-body" tabIndex={-1}>
        {children}
      </div>
    </details>
  )
}
