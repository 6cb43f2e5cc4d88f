import type { Signal } from '@preact/signals'
import { Check } from '../ui/check.tsx'
import { FieldError, faultyBy } from '../ui/field-error.tsx'
import { Menu } from '../ui/menu.tsx'
import * as desk from './desk.ts'
import { faultInSetting } from './fault.ts'

/** The fields of the request other than its state and questions. */
export const Settings = () => {
  const changed = desk.model.value !== '' || desk.calibration.value !== '' || desk.orderInvariant.value
  const faults = { model: faultInSetting('model'), calibration: faultInSetting('calibration') }
  return (
    <Menu
      class="settings"
      openWhen={faults.model !== null || faults.calibration !== null}
      label={
        <>
          Settings
          {changed && <span class="changed" role="img" aria-label="changed" />}
        </>
      }
    >
      <Field name="model" label="Model" placeholder="decider-1" value={desk.model} error={faults.model} />
      <Field
        name="calibration"
        label="Calibration profile"
        placeholder="calp1.…"
        value={desk.calibration}
        error={faults.calibration}
      />
      <Check value={desk.orderInvariant}>
        <span>
          Order invariant
          <span class="muted small block">
            Not needed with this snapshot, whose answers do not depend on the order. Scores every choice in
            both orders and averages; both passes are billed.
          </span>
        </span>
      </Check>
    </Menu>
  )
}

type FieldProps = {
  name: string
  label: string
  placeholder: string
  value: Signal<string>
  error: string | null
}

const Field = ({ name, label, placeholder, value, error }: FieldProps) => (
  <div class="stacked">
    <label for={`setting-${name}`}>{label}</label>
    <input
      id={`setting-${name}`}
      class="mono"
      placeholder={placeholder}
      spellcheck={false}
      autocomplete="off"
      {...faultyBy(`setting-${name}-error`, error !== null)}
      value={value.value}
      onInput={event => {
        value.value = event.currentTarget.value
      }}
    />
    <FieldError id={`setting-${name}-error`} message={error} />
  </div>
)
