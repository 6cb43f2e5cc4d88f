import { Playground } from '../playground/page.tsx'
import { KeyButton } from './key.tsx'
import { Later } from './later.tsx'
import { go, PAGES, type Path, route } from './route.ts'
import { theme, toggleTheme } from './theme.ts'

export const App = () => (
  <>
    <a class="skip" href="#main">
      Skip to content
    </a>
    {route.value === '/' && (
      <a class="skip" href="#answers">
        Skip to answers
      </a>
    )}
    <header class="top">
      <a class="brand" href="/" onClick={follow('/')}>
        <Mark />
        Decider
      </a>
      <nav aria-label="Pages">
        {PAGES.map(page => (
          <a
            href={page.path}
            aria-current={route.value === page.path ? 'page' : undefined}
            onClick={follow(page.path)}
          >
            {page.name}
          </a>
        ))}
        <ReferenceLink>Reference</ReferenceLink>
      </nav>
      <div class="tools">
        <KeyButton />
        <button
          type="button"
          class="icon"
          aria-label={theme.value === 'dark' ? 'Use light colours' : 'Use dark colours'}
          onClick={toggleTheme}
        >
          <svg viewBox="0 0 20 20" aria-hidden="true">
            <circle cx="10" cy="10" r="6.25" fill="none" stroke="currentColor" stroke-width="1.5" />
            <path d="M10 3.75a6.25 6.25 0 0 1 0 12.5z" fill="currentColor" />
          </svg>
        </button>
      </div>
    </header>
    <main id="main" tabIndex={-1}>
      <Page path={route.value} />
    </main>
    <footer class="bottom">
      Neither this page nor the service stores what you type. <ReferenceLink>API reference</ReferenceLink>
    </footer>
  </>
)

/** In a new tab, because the reference is another document: leaving this one would lose what is in memory. */
const ReferenceLink = ({ children }: { children: string }) => (
  <a href="/docs" target="_blank" rel="noopener">
    {children}
    <span class="unseen"> (opens in a new tab)</span>
  </a>
)

const Page = ({ path }: { path: Path }) => {
  if (path === '/calibration')
    return <Later key={path} load={async () => (await import('../calibration/page.tsx')).Calibration} />
  if (path === '/console')
    return <Later key={path} load={async () => (await import('../console/page.tsx')).Console} />
  return <Playground />
}

/** Plain clicks stay in the page; with a modifier key a link behaves as usual. */
const follow = (path: Path) => (event: MouseEvent) => {
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  go(path)
}

const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" />
    <rect x="7" y="8" width="18" height="4" rx="2" class="bar" />
    <rect x="7" y="14" width="10" height="4" rx="2" class="bar" opacity=".65" />
    <rect x="7" y="20" width="5" height="4" rx="2" class="bar" opacity=".4" />
  </svg>
)
