import { type Signal, useComputed } from '@preact/signals'
import { Menu } from '../ui/menu.tsx'
import * as desk from './desk.ts'
import { FieldError } from './field-error.tsx'
import { placeOf } from './place.ts'
import { trouble } from './run.ts'

/** How the request is read, beyond its state and questions. */
export const Settings = () => {
  const changed = desk.model.value !== '' || desk.calibration.value !== '' || desk.orderInvariant.value
  const faulty = useComputed(() => faultyField())
  return (
    <Menu
      class="settings"
      openWhen={faulty.value !== null}
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
      <Field
        name="model"
        label="Model"
        placeholder="decider-1"
        value={desk.model}
        error={faulty.value === 'model' ? messageNow() : null}
      />
      <Field
        name="calibration"
        label="Calibration profile"
        placeholder="calp1.…"
        value={desk.calibration}
        error={faulty.value === 'calibration' ? messageNow() : null}
      />
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
      aria-invalid={error !== null}
      aria-describedby={error === null ? undefined : `setting-${name}-error`}
      value={value.value}
      onInput={event => {
        value.value = event.currentTarget.value
      }}
    />
    <FieldError id={`setting-${name}-error`} message={error} />
  </div>
)

/** These two refusals name no field, but there is only one they can mean. */
const FIELD_OF_CODE: Readonly<Record<string, 'model' | 'calibration'>> = {
  model_not_found: 'model',
  profile_model_mismatch: 'calibration',
}

const faultyField = (): 'model' | 'calibration' | null => {
  const why = trouble.value
  if (why?.kind !== 'refused') return null
  const { pane } = placeOf(why.param, [])
  return pane === 'model' || pane === 'calibration' ? pane : (FIELD_OF_CODE[why.code] ?? null)
}

const messageNow = (): string | null => (trouble.value?.kind === 'refused' ? trouble.value.message : null)
