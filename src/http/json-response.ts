import type { JsonObject } from '../json/json.ts'
import { compact } from '../json/writer.ts'

export const jsonResponse = (
  body: JsonObject,
  status = 200,
  headers: Record<string, string> = {},
): Response =>
  new Response(compact(body), { status, headers: { 'content-type': 'application/json', ...headers } })
