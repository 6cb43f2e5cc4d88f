import { useComputed } from '@preact/signals'
import { CopyButton } from '../ui/copy.tsx'
import { bytes, milliseconds } from '../ui/format.ts'
import { Menu } from '../ui/menu.tsx'
import { CopyAs } from './copy-as.tsx'
import * as desk from './desk.ts'
import { LIVE_BYTES_MAX, latency, live, run, running } from './run.ts'
import { shareLink } from './share.ts'

/** What stands above the answers: run, and how it is run. */
export const RunBar = () => (
  <section class="run-bar" aria-label="Run">
    <div class="row">
      <button
        type="button"
        class="primary run"
        aria-keyshortcuts="Control+Enter Meta+Enter"
        onClick={() => void run()}
      >
        {running.value ? 'Asking …' : 'Run'}
        <span class="kbd" aria-hidden="true">
          {IS_MAC ? '⌘' : 'Ctrl'} ↵
        </span>
      </button>
      <label class="check">
        <input
          type="checkbox"
          checked={live.value}
          onChange={event => (live.value = event.currentTarget.checked)}
        />
        As I type
      </label>
      <LatencyNote />
    </div>
    <div class="row">
      <Settings />
      <CopyAs />
      <CopyButton class="quiet" label="Share link" text={shareLink} />
    </div>
  </section>
)

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent)

const LatencyNote = () => {
  const tooLarge = useComputed(() => {
    desk.revision.value
    return live.value && desk.state.length + desk.questionsJson.length > LIVE_BYTES_MAX
  })
  const { cold, cached } = latency.value
  return (
    <p class="latency" aria-live="off">
      {tooLarge.value && <span class="muted">{bytes(desk.state.length)}: press Run when ready</span>}
      {cold !== null && (
        <span>
          <span class="muted">cold</span> {milliseconds(cold)}
        </span>
      )}
      {cached !== null && (
        <span class="cached">
          <span class="muted">state cached</span> {milliseconds(cached)}
        </span>
      )}
    </p>
  )
}

const Settings = () => {
  const changed = desk.model.value !== '' || desk.calibration.value !== '' || desk.orderInvariant.value
  return (
    <Menu
      class="settings"
      label={
        <>
          Settings
          {changed && <span class="changed" role="img" aria-label="changed" />}
        </>
      }
    >
      <label class="check">
        <input
          type="checkbox"
          checked={desk.orderInvariant.value}
          onChange={event => (desk.orderInvariant.value = event.currentTarget.checked)}
        />
        <span>
          Order invariant
          <span class="muted small block">
            Reads every choice in both directions and averages; billed for both.
          </span>
        </span>
      </label>
      <label class="stacked">
        Model
        <input
          class="mono"
          placeholder="decider-1"
          spellcheck={false}
          autocomplete="off"
          value={desk.model.value}
          onInput={event => (desk.model.value = event.currentTarget.value)}
        />
      </label>
      <label class="stacked">
        Calibration profile
        <input
          class="mono"
          placeholder="calp1.…"
          spellcheck={false}
          autocomplete="off"
          value={desk.calibration.value}
          onInput={event => (desk.calibration.value = event.currentTarget.value)}
        />
      </label>
    </Menu>
  )
}
