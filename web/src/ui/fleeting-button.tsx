import type { ComponentProps } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

type Props = ComponentProps<'button'> & {
  /** A selector of what takes the focus. */
  heir: string
}

/**
 * A button that passes its focus on when it goes. Otherwise the browser would drop the focus, and keyboard users would
 * start again at the top of the page.
 */
export const FleetingButton = ({ heir, ...props }: Props) => {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const element = button.current
    return () => {
      if (document.activeElement !== element) return
      // The page stays where it is for those who clicked.
      document.querySelector<HTMLElement>(heir)?.focus({ preventScroll: true })
    }
  }, [])
  return <button type="button" ref={button} {...props} />
}
