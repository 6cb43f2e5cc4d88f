import type { JsonObject } from '../../../../src/json/json.ts'
import { pretty } from '../../ui/pretty.ts'
import { typeable } from './typeable.ts'

/** The longest argument Linux accepts, including its closing zero byte. */
const MAX_ARGUMENT_BYTES = 131_072

export const curl = (request: JsonObject, origin: string): string => {
  const body = typeable(pretty(request))
  const fits = new TextEncoder().encode(body).length < MAX_ARGUMENT_BYTES
  return [
    `curl -s ${origin}/v1/decisions \\`,
    `  -H "Authorization: Bearer $DECIDER_API_KEY" \\`,
    `  -H 'Content-Type: application/json' \\`,
    fits ? `  -d '${body.replaceAll("'", "'\\''")}'` : `  --data-binary @- <<'JSON'\n${body}\nJSON`,
    '',
  ].join('\n')
}
