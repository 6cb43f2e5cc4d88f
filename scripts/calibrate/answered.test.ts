import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { serverOf } from '../../src/testing/server.ts'
import { newFolder } from '../../test/folder.ts'
import { answersTo } from './answered.ts'

const decision = {
  object: 'altdecisions.response',
  model: 'a-snapshot',
  answers: { q: { logits: { false: 0, true: 1 }, decider: { abstain: null } } },
  usage: { input_tokens: 9, cost_usd: 0.0000009 },
}

it.each([
  [200, 'fulfilled'],
  [401, 'rejected'],
])('leaves nothing of its bar in a terminal after a %i', async (status, outcome) => {
  const url = await serverOf((_, response) => response.writeHead(status).end(JSON.stringify(decision)))
  const file = join(await newFolder(), 'examples.jsonl')
  await writeFile(file, '{"state":"x","questions":{"q":{"type":"noul","label":true}}}')
  const write = vi.fn()
  const terminal = vi.spyOn(process, 'stderr', 'get').mockReturnValue({ isTTY: true, write } as never)
  onTestFinished(() => terminal.mockRestore())
  const asking = answersTo({ kind: 'score', file, url, key: 'a_key', model: null })
  expect(await Promise.allSettled([asking])).toMatchObject([{ status: outcome }])
  const drawn = write.mock.calls.flat()
  expect([drawn[0], drawn.at(-1)]).toEqual([expect.stringContaining('deciding'), '\r\u001b[2K'])
})
