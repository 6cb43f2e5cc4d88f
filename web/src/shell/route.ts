// Three pages, one document: moving between them must not lose what is only in memory.
import { signal } from '@preact/signals'

export const PAGES = [
  { path: '/', name: 'Playground', title: 'Decider' },
  { path: '/calibration', name: 'Calibration', title: 'Calibration · Decider' },
  { path: '/console', name: 'Console', title: 'Console · Decider' },
] as const

export type Path = (typeof PAGES)[number]['path']

const here = () => PAGES.find(page => page.path === location.pathname) ?? PAGES[0]

export const route = signal<Path>(here().path)

export const go = (path: Path): void => {
  if (path === route.value) return
  history.pushState(null, '', path)
  arrive()
  window.scrollTo(0, 0)
  gone = true
}

/** Plain clicks stay in the page; with a modifier key a link behaves as usual. */
export const follow = (path: Path) => (event: MouseEvent) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  go(path)
}

let gone = false

/** True once after each `go`. A page that is loaded, or returned to, takes no focus. */
export const followed = (): boolean => {
  const was = gone
  gone = false
  return was
}

const arrive = (): void => {
  const { path, title } = here()
  route.value = path
  document.title = title
}

export const followHistory = (): void => {
  arrive()
  addEventListener('popstate', arrive)
}
