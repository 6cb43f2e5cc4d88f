// What any Worker would pay that does what the edge must: read the body, ask one Durable Object once, call the
// scorer once with as many bytes, and answer about as many as a decision has. It thinks nothing.
import { DurableObject } from 'cloudflare:workers'

const ADMITTED = { kind: 'admitted', keyId: 'key', accountId: 'acct', remaining: [399, 19_999_904] }
const ANSWER = JSON.stringify({ answers: 'x'.repeat(1_500) })

export class Gate extends DurableObject {
  admit() {
    return ADMITTED
  }
}

// biome-ignore lint/style/noDefaultExport: a Worker is its default export
export default {
  fetch: async (request, env) => {
    const body = await request.bytes()
    await env.GATE.getByName('key').admit(body.byteLength)
    const answer = await fetch(`${env.SCORER_URL}/floor`, { method: 'POST', body })
    await answer.bytes()
    return new Response(ANSWER, { headers: { 'content-type': 'application/json' } })
  },
}
