// The published SDKs, told to retry later, inside workerd. The clock is moved; nothing waits.
import { noul, TypeSafeClient } from '@typesafe-ai/sdk'
import OpenAI from 'openai'
import { describe, expect, it, vi } from 'vitest'
import { engineTimeout } from '../scorer/scorer.ts'
import { useStoppedTimers } from '../testing/clock.ts'
import { scorerThatPrefersTheFirst } from '../testing/scorer.ts'
import { apiKey, setup } from '../testing/setup.ts'

const RETRY_AFTER_MS = 2_000

useStoppedTimers()

/** An edge whose scorer fails at first, and the statuses it has answered so far. */
const edgeThatRecovers = () => {
  const statuses: number[] = []
  const steady = scorerThatPrefersTheFirst()
  const edge = setup({
    modelAliases: new Map([['jev-latest', 'decider-1']]),
    scorer: {
      score: async (...asked) => {
        if (statuses.length === 0) throw engineTimeout()
        return steady.score(...asked)
      },
    },
  })
  const fetch = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const response = await edge.fetch(new URL(request.url).pathname, request)
    statuses.push(response.status)
    return response
  }
  return { fetch, statuses }
}
const comesTo = (count: number, statuses: readonly number[]) =>
  vi.waitFor(() => expect(statuses).toHaveLength(count), { interval: 1 })

describe('an engine that is away for a moment', () => {
  it('costs a caller of @typesafe-ai/sdk only the time the service asks for', async () => {
    const { fetch, statuses } = edgeThatRecovers()
    const client = new TypeSafeClient({ apiKey, baseURL: 'https://decider.test', fetch, logLevel: 'off' })
    const result = client.systemOne({ state: 's', questions: { q: noul('?') } })
    await comesTo(1, statuses)
    await vi.advanceTimersByTimeAsync(RETRY_AFTER_MS - 500)
    expect(statuses).toEqual([503])
    await vi.advanceTimersByTimeAsync(500)
    expect((await result).answers.q.type).toBe('noul')
    expect(statuses).toEqual([503, 200])
  })

  it('costs a caller of openai the same time', async () => {
    const { fetch, statuses } = edgeThatRecovers()
    const client = new OpenAI({ apiKey, baseURL: 'https://decider.test/openai/v1', fetch })
    const questions = [{ type: 'predicate' as const, instructions: '?' }]
    const result = client.decisions.create({ model: 'decider-1', input: 's', questions })
    await comesTo(1, statuses)
    await vi.advanceTimersByTimeAsync(RETRY_AFTER_MS - 500)
    expect(statuses).toEqual([503])
    await vi.advanceTimersByTimeAsync(500)
    expect((await result).answers).toHaveLength(1)
    expect(statuses).toEqual([503, 200])
  })
})
