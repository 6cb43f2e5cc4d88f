import type { ComponentChildren } from 'preact'
import { PAGES, type Path } from './route.ts'
import { theme, themed, toggleTheme } from './theme.ts'

type Props = {
  /** The page that is shown. */
  here: Path | '/docs'
  /** What a click on a link does, if not what it usually does. */
  follow?: (path: Path) => (event: MouseEvent) => void
  children?: ComponentChildren
}

/** The top of every page. */
export const Header = ({ here, follow, children }: Props) => (
  <header class="top">
    <a class="brand" href={themed('/')} onClick={follow?.('/')}>
      <Mark />
      Decider
    </a>
    <nav aria-label="Pages">
      {PAGES.map(({ path, name }) => (
        <a href={themed(path)} aria-current={here === path ? 'page' : undefined} onClick={follow?.(path)}>
          {name}
        </a>
      ))}
      {here === '/docs' ? (
        <a href="/docs" aria-current="page">
          Reference
        </a>
      ) : (
        <ReferenceLink>Reference</ReferenceLink>
      )}
    </nav>
    <div class="tools">
      {children}
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
)

/** In a new tab, because the reference is another document: leaving this one would lose what is in memory. */
export const ReferenceLink = ({ children }: { children: string }) => (
  <a href={themed('/docs')} target="_blank" rel="noopener">
    {children}
    <span class="unseen"> (opens in a new tab)</span>
  </a>
)

const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" />
    <rect x="7" y="8" width="18" height="4" rx="2" class="bar" />
    <rect x="7" y="14" width="10" height="4" rx="2" class="bar" opacity=".65" />
    <rect x="7" y="20" width="5" height="4" rx="2" class="bar" opacity=".4" />
  </svg>
)
