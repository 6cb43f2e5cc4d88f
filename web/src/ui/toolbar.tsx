import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

type Props = { label: string; class?: string; children: ComponentChildren }

/** Buttons that are one Tab stop: the arrow keys, Home and End move between them. */
export const Toolbar = ({ label, class: name, children }: Props) => {
  const bar = useRef<HTMLDivElement>(null)
  const buttons = (): HTMLElement[] => [...(bar.current?.querySelectorAll('button') ?? [])]
  const stopAt = (stop: EventTarget | undefined | null): void => {
    for (const button of buttons()) button.tabIndex = button === stop ? 0 : -1
  }
  // Before anything can take the focus: what has it when the bar is drawn is the stop.
  useLayoutEffect(() => stopAt(buttons()[0]), [])
  const move = (event: KeyboardEvent) => {
    // With a modifier they are the browser's: back, forward.
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const all = buttons()
    const at = all.indexOf(event.target as HTMLElement)
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: -1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    all.at(to % all.length)?.focus()
  }
  return (
    <div
      ref={bar}
      class={name}
      role="toolbar"
      aria-label={label}
      onKeyDown={move}
      onFocusIn={event => stopAt(event.target)}
    >
      {children}
    </div>
  )
}
