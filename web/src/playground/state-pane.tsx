import { computed } from '@preact/signals'
import { TextEditor } from '../editor/text-editor.tsx'
import { FieldError } from '../ui/field-error.tsx'
import { Switch } from '../ui/switch.tsx'
import * as desk from './desk.ts'
import { markIn } from './fault.ts'

const mark = computed(() => markIn('state'))

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
