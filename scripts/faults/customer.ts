import type { Client } from '../decider/client.ts'

/** One account under load: what it sent, what came back, and so what it may be charged. */
export type Customer = {
  id: string
  /** Sends one decision; resolves when there is an answer or there never will be one. */
  decide(): Promise<void>
  /** Pays with a reference that may have been used before. */
  pay(): Promise<void>
  /** `nanodollars` is what the answers say they cost. */
  counts: { answered: number; nanodollars: number; refused: number; cut: number; paid: Set<string> }
}

const KEYS = 2
const BODY = JSON.stringify({
  state: 'Charged twice for one order, please refund me.',
  questions: { angry: { type: 'noul', instructions: 'The customer is angry' } },
})

export const newCustomer = async (api: Client): Promise<Customer> => {
  const { id } = await api.call('POST', '/accounts', { name: 'Fault run' })
  await api.call('POST', `/accounts/${id}/verify`)
  const keys = await Promise.all(
    Array.from({ length: KEYS }, () => api.call('POST', `/accounts/${id}/keys`, {})),
  )
  const counts = { answered: 0, nanodollars: 0, refused: 0, cut: 0, paid: new Set<string>() }
  let turn = 0
  return {
    id,
    counts,
    decide: async () => {
      const key = keys[turn++ % keys.length]?.key
      try {
        const answer = await fetch(`${api.url}/v1/decisions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: BODY,
        })
        const { usage } = (await answer.json()) as { usage?: { cost_usd: number } }
        if (usage === undefined) {
          counts.refused += 1
          return
        }
        counts.answered += 1
        counts.nanodollars += Math.round(usage.cost_usd * 1e9)
      } catch {
        counts.cut += 1
      }
    },
    pay: async () => {
      const reference = `invoice ${Math.floor(Math.random() * 5)}`
      counts.paid.add(reference)
      await api.call('POST', `/accounts/${id}/top-up`, { amount_usd: '1.00', reference })
    },
  }
}
