import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { followed } from './route.ts'

/** The title of a page. It takes the focus after a link is followed, for screen readers and the keyboard. */
export const Title = ({ children }: { children: ComponentChildren }) => {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (followed()) title.current?.focus()
  }, [])
  return (
    <h1 tabIndex={-1} ref={title}>
      {children}
    </h1>
  )
}
