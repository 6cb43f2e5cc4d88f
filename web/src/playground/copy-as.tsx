import { isObject } from '../../../src/json/json.ts'
import { readJson } from '../../../src/json/reader.ts'
import { CopyButton } from '../ui/copy.tsx'
import { Menu } from '../ui/menu.tsx'
import * as desk from './desk.ts'
import { writeRequest } from './request.ts'

const LANGUAGES = [
  { id: 'curl', name: 'curl' },
  { id: 'typesafe', name: 'TypeScript, TypeSafe SDK' },
  { id: 'openai', name: 'TypeScript, OpenAI SDK' },
  { id: 'python', name: 'Python' },
] as const

/** The request on the desk as code for your own program. The key is never part of it. */
export const CopyAs = () => (
  <Menu label="Copy as" class="copy-as">
    {LANGUAGES.map(({ id, name }) => (
      <CopyButton class="item" label={name} text={() => snippet(id)} />
    ))}
  </Menu>
)

const snippet = async (language: (typeof LANGUAGES)[number]['id']): Promise<string> => {
  const written = writeRequest(desk.asked())
  if (written.kind === 'mistake') throw new Error(written.message)
  const reading = readJson(written.body)
  if (reading.kind === 'refused' || !isObject(reading.value)) throw new Error('not a request')
  const { write } = await import('./snippets/snippets.ts')
  return write[language](reading.value, location.origin)
}
