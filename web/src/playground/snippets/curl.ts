import type { JsonObject } from '../../../../src/json/json.ts'
import { pretty } from '../../ui/pretty.ts'

export const curl = (request: JsonObject, origin: string): string =>
  [
    `curl -s ${origin}/v1/decisions \\`,
    `  -H "Authorization: Bearer $DECIDER_API_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${pretty(request).replaceAll("'", "'\\''")}'`,
    '',
  ].join('\n')
