import type { Signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'

/** A box to tick, and what it stands for. */
export const Check = ({ value, children }: { value: Signal<boolean>; children: ComponentChildren }) => (
  <label class="check">
    <input
      type="checkbox"
      checked={value.value}
      onChange={event => (value.value = event.currentTarget.checked)}
    />
    {children}
  </label>
)
