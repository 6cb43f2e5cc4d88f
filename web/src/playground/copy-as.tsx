import { isObject } from '../../../src/json/json.ts'
import { readJson } from '../../../src/json/reader.ts'
import { CopyButton } from '../ui/copy.tsx'
import { Menu } from '../ui/menu.tsx'
import { notLoaded } from '../ui/not-loaded.ts'
import * as desk from './desk.ts'
import { writeRequest } from './request.ts'

const FORMS = [
  { id: 'curl', name: 'curl' },
  { id: 'typesafe', name: 'TypeScript, TypeSafe SDK' },
  { id: 'openai', name: 'TypeScript, OpenAI SDK' },
  { id: 'python', name: 'Python' },
  { id: 'labelled', name: 'Labelled example (JSON Lines)' },
] as const

/** The request on the desk as code for your own program, or as an example to label. The key is never part of it. */
export const CopyAs = () => (
  <Menu label="Copy as" class="copy-as">
    {FORMS.map(({ id, name }) => (
      <CopyButton class="item" label={name} name={`Copy as ${name}`} text={() => copyOf(id)} />
    ))}
    <p class="muted small">
      The last is a line for a calibration file. Replace each <code>null</code> with the right answer: the
      model’s own would only measure the model against itself.
    </p>
  </Menu>
)

const copyOf = async (form: (typeof FORMS)[number]['id']): Promise<string> => {
  const written = writeRequest(desk.asked())
  if (written.kind === 'mistake') throw new Error(written.message)
  const reading = readJson(written.body)
  if (reading.kind === 'refused' || !isObject(reading.value)) throw new Error('not a request')
  const { write } = await import('./snippets/snippets.ts').catch(() => {
    throw new Error(notLoaded('This'))
  })
  return write[form](reading.value, location.origin)
}
