import { Playground } from '../playground/page.tsx'
import { Header, ReferenceLink } from './header.tsx'
import { KeyButton } from './key.tsx'
import { Later } from './later.tsx'
import { follow, type Path, route } from './route.ts'

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
    <Header here={route.value} follow={follow}>
      <KeyButton />
    </Header>
    <main id="main" tabIndex={-1}>
      <Page path={route.value} />
    </main>
    <footer class="bottom">
      Neither this page nor the service stores what you type. <ReferenceLink>API reference</ReferenceLink>
    </footer>
  </>
)

const Page = ({ path }: { path: Path }) => {
  if (path === '/calibration')
    return <Later key={path} load={async () => (await import('../calibration/page.tsx')).Calibration} />
  if (path === '/console')
    return <Later key={path} load={async () => (await import('../console/page.tsx')).Console} />
  return <Playground />
}
