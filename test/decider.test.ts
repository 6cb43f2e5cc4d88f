import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, inject, it } from 'vitest'
import { requestDecision } from './request-decision.ts'

const CLI = join(import.meta.dirname, '..', 'scripts', 'decider.ts')

const decider = async (...args: string[]) => {
  const { url, secrets } = inject('service')
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { ...process.env, ...secrets, DECIDER_URL: url, DECIDER_ADMIN_SECRET: secrets.ADMIN_SECRET },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const code = new Promise<number | null>(resolve => child.once('close', resolve))
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await code, out, err }
}

const json = async (...args: string[]) => JSON.parse((await decider(...args, '--json')).out)

describe('npm run decider', () => {
  it('takes an operator from nothing to a decision, and the account to its bill', async () => {
    const { url } = inject('service')
    const { id } = await json('accounts', 'create', '--name', 'Grace')
    expect(await json('accounts', 'verify', id)).toMatchObject({ balance_usd: '5.00' })
    const key = (await decider('keys', 'create', id)).out.trim()

    const angry = { type: 'noul', instructions: 'The writer is angry' }
    const answer = await requestDecision({ state: 'It broke again.', questions: { angry } }, key)
    expect(answer.status).toBe(200)
    const { usage } = (await answer.json()) as { usage: { input_tokens: number; cost_usd: number } }

    await expect
      .poll(async () => (await json('activity', id)).data, { timeout: 5_000 })
      .toMatchObject([{ path: '/v1/decisions', status: 200, input_tokens: usage.input_tokens }])
    // Not the first in any case: midnight may have come since.
    const used = (await json('usage', id)).data.filter(({ requests }: { requests: number }) => requests > 0)
    expect(used).toMatchObject([{ requests: 1, input_tokens: usage.input_tokens }])
    // A payment makes the keys report their usage.
    await decider('accounts', 'top-up', id, '1.00', '--reference', 'invoice 1')
    const { charges_nanodollars } = await json('accounts', 'show', id)
    expect(charges_nanodollars).toBe(Math.round(usage.cost_usd * 1e9))

    const [{ id: keyId }] = (await json('keys', 'list', id)).data
    await decider('keys', 'revoke', id, keyId)
    const refused = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${key}` } })
    expect(refused.status).toBe(401)
  })

  it('has a `cache clear` command that makes a scorer forget what one account sent', async () => {
    const { scorerUrl } = inject('service')
    const [mine, others] = [await json('accounts', 'create'), await json('accounts', 'create')]
    await decider('accounts', 'verify', mine.id)
    const key = (await decider('keys', 'create', mine.id)).out.trim()
    const cached = async () => {
      const questions = { angry: { type: 'noul' } }
      const answer = await requestDecision({ state: 'It broke again.', questions }, key)
      return ((await answer.json()) as { usage: { cached_tokens: number } }).usage.cached_tokens > 0
    }
    const clear = (account: string) => decider('cache', 'clear', '--scorer', scorerUrl, '--account', account)

    expect([await cached(), await cached()]).toEqual([false, true])
    expect(await clear(others.id)).toEqual({ code: 0, out: 'states forgotten: 0\n', err: '' })
    expect(await cached()).toBe(true)
    expect(await clear(mine.id)).toEqual({ code: 0, out: 'states forgotten: 1\n', err: '' })
    expect(await cached()).toBe(false)
  })

  it('has a `doctor` command that finds nothing wrong with a working service', async () => {
    const { code, out } = await decider('doctor')
    expect(out).not.toContain('FAIL')
    expect(out).toContain('scored a question')
    expect(code).toBe(0)
  })
})
