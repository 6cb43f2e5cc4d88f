// The process under its memory ceiling, with less memory than all the states it is sent would take together.
import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { HEADERS, type ScoreReply, type ScoreUnit, type UnitQuestion } from './protocol.ts'
import { type ScorerProcess, startProcess } from './testing/process.ts'
import { ANGRY, clientOf, unit } from './testing/scorer.ts'

vi.setConfig({ testTimeout: 600_000 })

const started: ScorerProcess[] = []
const start = async (memoryBytes: number): Promise<ScorerProcess> => {
  const scorer = await startProcess({
    SCORER_MEMORY_BYTES: String(memoryBytes),
    SCORER_CACHE_BYTES: String(memoryBytes),
  })
  started.push(scorer)
  return scorer
}
afterAll(async () => {
  for (const { child, folder } of started) {
    child.kill('SIGKILL')
    await rm(folder, { recursive: true })
  }
})

const peakBytes = (pid: number | undefined): number =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

const TOKENS = 14_000
/** Of 11 MB each. A start may leave room for 160 MB: the longest state, the margin, and what other starts take more. */
const LONG_STATES = 18
/** The most that the service accepts. */
const QUESTIONS = 128
const OPTIONS = 1_024
/** What the service allows for reading requests, all of them together. */
const REQUEST_BYTES = 256 * 1024 ** 2
/** What keeps a request from taking longer. */
const within = (milliseconds: number) => ({ headers: { [HEADERS.deadline]: String(milliseconds) } })

describe.runIf(existsSync('/proc/self/status'))('a scorer with the least memory it starts with', () => {
  /** The smallest ceiling that fits the longest state, according to the service itself. */
  let ceiling: number
  beforeAll(async () => {
    const refused = await start(256 * 1024 ** 2)
    await refused.ended
    ceiling = Number(/must be at least (\d+) /.exec(refused.output())?.[1])
  })

  it('encodes more states than it can hold, among small requests, and stays under its ceiling', async () => {
    const scorer = await start(ceiling)
    const client = clientOf((await scorer.url) ?? '')
    // On a busy core, all of them together take longer than the longest deadline.
    const ask = async (one: ScoreUnit): Promise<string | undefined> => {
      const { status, body } = await client.post<ScoreReply>('/score', { units: [one] })
      return status === 504 ? ask(one) : body.units?.[0]?.kind
    }
    const long = Array.from({ length: LONG_STATES }, (_, i) => {
      const text = `${i} word `.repeat(TOKENS / 2)
      return ask(unit({ state: { form: 'text', text }, questions: [ANGRY] }))
    })
    const small = Array.from({ length: 20 }, () => ask(unit()))
    expect(await Promise.all(small)).toEqual(small.map(() => 'scored'))
    expect(await Promise.all(long)).toEqual(long.map(() => 'scored'))

    expect(await client.metric('cache_events_total{event="evicted"}')).toBeGreaterThan(0)
    expect(peakBytes(scorer.child.pid)).toBeLessThan(ceiling)
  })

  it('takes as many questions and options as a request may have, with long descriptions, in that memory', async () => {
    const scorer = await start(ceiling)
    const client = clientOf((await scorer.url) ?? '')
    const options = Array.from({ length: OPTIONS }, (_, o): [string, string] => [
      `option ${o}`,
      'an answer that takes more than one word to tell from the others',
    ])
    const questions = Array.from(
      { length: QUESTIONS },
      (_, q): UnitQuestion => ({
        type: 'choice',
        instructions: `Which of them is it, by rule ${q}?`,
        options,
      }),
    )
    const huge = client.post('/score', { units: [unit({ questions })] }, within(8_000))
    // Minutes of work: what counts is that it ends at its caller's deadline and that others are served.
    expect([200, 504]).toContain((await huge).status)
    const { body } = await client.post<ScoreReply>('/score', { units: [unit()] })
    expect(body.units?.[0]?.kind).toBe('scored')
    expect(peakBytes(scorer.child.pid)).toBeLessThan(ceiling)
  })

  it.each([
    ['instructions', 'that consist only of paths', '{"a":1}', '`a.b[0]` '.repeat(433_000)],
    ['instructions', 'that are one path', '{"a":1}', `\`${'a.'.repeat(1_950_000)}a\``],
    ['state', 'that is one word', `"${'😀'.repeat(980_000)}"`, 'What is `a`?'],
  ])('refuses %s %s within the memory allowed for requests', async (what, _, text, instructions) => {
    const one = unit({ state: { form: 'json', text }, questions: [{ ...ANGRY, instructions }] })
    const { kind, growth } = await growthFor(one, 8_000)
    expect(kind).toBe(`${what}_too_long`)
    expect(growth).toBeLessThan(REQUEST_BYTES)
  })

  it('reads an option of almost twelve million tokens within the memory allowed for requests', async () => {
    // Each of these characters is twelve tokens.
    const sides: [string, null] = ['\u{1D160}'.repeat(975_000), null]
    const question: UnitQuestion = { type: 'noul', instructions: null, sides }
    // Its reading begins in this time. Encoding it would take minutes, in memory that is not that for requests.
    const { status, growth } = await growthFor(unit({ questions: [question] }), 1_000)
    expect(status).toBe(504)
    expect(growth).toBeGreaterThan(12 * 975_000 * Int32Array.BYTES_PER_ELEMENT)
    expect(growth).toBeLessThan(REQUEST_BYTES)
  })

  const growthFor = async (one: ScoreUnit, milliseconds: number) => {
    const scorer = await start(ceiling)
    const client = clientOf((await scorer.url) ?? '')
    const large = unit({ state: { form: 'text', text: 'word '.repeat(100_000) } })
    const readLarge = async (): Promise<void> => {
      const { body } = await client.post<ScoreReply>('/score', { units: [large] })
      expect(body.units?.[0]?.kind).toBe('state_too_long')
    }
    // The first large body is read once its thread has built a tokenizer of its own, which stays and is not counted.
    await readLarge()
    const before = peakBytes(scorer.child.pid)
    const { status, body } = await client.post<ScoreReply>('/score', { units: [one] }, within(milliseconds))
    // The thread reads one body after the other, also one that nobody waits for any more.
    await readLarge()
    return { status, kind: body.units?.[0]?.kind, growth: peakBytes(scorer.child.pid) - before }
  }
})
