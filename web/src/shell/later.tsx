import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'

/** A page that is loaded when someone opens it. */
export const Later = ({ load }: { load: () => Promise<ComponentType> }) => {
  const [Shown, show] = useState<ComponentType>(() => Loading)
  useEffect(
    () =>
      void load()
        .catch(() => Unloaded)
        .then(component => show(() => component)),
    [],
  )
  return <Shown />
}

const Loading = () => <p class="loading">Loading …</p>

/** After a release the files that an open tab knows are gone, and Firefox does not request a failed one again. */
const Unloaded = () => (
  <div class="page">
    <div class="notice bad" role="alert">
      <p>This page could not be loaded.</p>
      <button type="button" class="quiet" onClick={() => location.reload()}>
        Reload
      </button>
    </div>
  </div>
)
