import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'

/**
 * Keeps a CSS variable at the height of an element, which a style sheet does not know. The variable is the element's
 * own, or that of what `holder` selects around it.
 */
export const useHeightIn = (
  variable: `--${string}`,
  element: RefObject<HTMLElement | null>,
  holder = '*',
): void =>
  useEffect(() => {
    const measured = element.current
    const held = measured?.closest<HTMLElement>(holder)
    if (!measured || !held) return
    const observer = new ResizeObserver(() => held.style.setProperty(variable, `${measured.offsetHeight}px`))
    observer.observe(measured)
    return () => observer.disconnect()
  }, [])
