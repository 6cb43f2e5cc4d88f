import { computed } from '@preact/signals'
import type { Mark } from '../editor/code.ts'
import { TextEditor } from '../editor/text-editor.tsx'
import { Switch } from '../ui/switch.tsx'
import * as desk from './desk.ts'
import { FieldError } from './field-error.tsx'
import { placeOf } from './place.ts'
import { trouble } from './run.ts'

const mark = computed((): Mark | null => {
  const why = trouble.value
  if (why?.kind !== 'mistake' && why?.kind !== 'refused') return null
  if (placeOf(why.param, []).pane !== 'state') return null
  if ('at' in why && why.at !== undefined) return { message: why.message, at: why.at }
  return { message: why.message, path: why.param?.slice('state.'.length) ?? '' }
})

export const StatePane = () => (
  <section class="pane state" aria-labelledby="state-title">
    <div class="head">
      <h2 id="state-title">State</h2>
      <Switch
        label="Write the state as"
        options={[
          { value: 'text', text: 'Text' },
          { value: 'json', text: 'JSON' },
        ]}
        value={desk.stateForm.value}
        onChange={desk.switchState}
      />
    </div>
    <TextEditor
      id="state"
      source={desk.state}
      language={desk.stateForm.value}
      label={desk.stateForm.value === 'text' ? 'State, text' : 'State, JSON'}
      mark={mark.value}
    />
    <FieldError id="state-error" message={mark.value?.message ?? null} />
  </section>
)
