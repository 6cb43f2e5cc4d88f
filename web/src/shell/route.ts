// Three pages, one document: moving between them must not lose what only memory holds.
import { signal } from '@preact/signals'

export const PAGES = [
  { path: '/', name: 'Playground', title: 'Decider' },
  { path: '/calibration', name: 'Calibration', title: 'Calibration · Decider' },
  { path: '/console', name: 'Console', title: 'Console · Decider' },
] as const

export type Path = (typeof PAGES)[number]['path']

const here = (): Path => PAGES.find(page => page.path === location.pathname)?.path ?? '/'

export const route = signal<Path>(here())

export const go = (path: Path): void => {
  if (path === route.value) return
  history.pushState(null, '', path)
  arrive()
  window.scrollTo(0, 0)
  gone = true
}

let gone = false

/** True once for each page gone to; a page that is loaded, or come back to, takes no focus. */
export const followed = (): boolean => {
  const was = gone
  gone = false
  return was
}

const arrive = (): void => {
  route.value = here()
  document.title = PAGES.find(page => page.path === route.value)?.title ?? 'Decider'
}

export const followHistory = (): void => {
  arrive()
  addEventListener('popstate', arrive)
}
