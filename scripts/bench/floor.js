// The least that any Worker doing the edge's job must pay: it reads the body, asks one Durable Object once, calls the
// scorer once with as many bytes, and answers with about as many as a decision has. It computes nothing.
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
