import type { JsonObject } from '../../../../src/json/json.ts'
import { curl } from './curl.ts'
import { labelled } from './labelled.ts'
import { openai } from './openai.ts'
import { pinned } from './pinned.ts'
import { python } from './python.ts'
import { typesafe } from './typesafe.ts'

type Writer = (request: JsonObject, origin: string) => string

const pinning =
  (writer: Writer): Writer =>
  (request, origin) =>
    writer(pinned(request), origin)

export const write: Record<'curl' | 'typesafe' | 'openai' | 'python' | 'labelled', Writer> = {
  curl: pinning(curl),
  typesafe: pinning(typesafe),
  openai,
  python: pinning(python),
  labelled,
}
