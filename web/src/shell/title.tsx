import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { followed } from './route.ts'

/** The name of a page. After a link was followed a screen reader hears it, and a keyboard goes on from there. */
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
