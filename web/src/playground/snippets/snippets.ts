import type { JsonObject } from '../../../../src/json/json.ts'
import { curl } from './curl.ts'
import { openai } from './openai.ts'
import { python } from './python.ts'
import { typesafe } from './typesafe.ts'

type Writer = (request: JsonObject, origin: string) => string

export const write: Record<'curl' | 'typesafe' | 'openai' | 'python', Writer> = {
  curl,
  typesafe,
  openai,
  python,
}
