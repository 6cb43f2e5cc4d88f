import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { unit } from '../../testing/scorer.ts'
import { MODELS_FOLDER } from '../../testing/snapshot.ts'
import { loadSnapshots } from '../snapshot/load.ts'
import { type Intake, openIntake } from './intake.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

const faults: unknown[] = []
let intake: Intake
beforeAll(async () => {
  const snapshots = await loadSnapshots(MODELS_FOLDER)
  intake = openIntake({ snapshots, cacheSecret: new Uint8Array(32) }, fault => faults.push(fault))
})
afterAll(() => intake.close())

const bytes = (value: unknown) => Uint8Array.from(Buffer.from(JSON.stringify(value)))
/** White space that JSON allows, enough to send a body to the thread. */
const padded = (value: unknown) => Uint8Array.from(Buffer.from(JSON.stringify(value) + ' '.repeat(100_000)))

describe('the intake', () => {
  it('reads a large body on its thread as it reads a small one', async () => {
    const request = { units: [unit({ state: { form: 'json', text: '{"a":["ü"]}' }, reverse: true })] }
    expect(await intake.read(padded(request))).toEqual(await intake.read(bytes(request)))
    expect(await intake.read(padded({ units: 1 }))).toEqual(await intake.read(bytes({ units: 1 })))
    expect(faults).toEqual([])
  })

  it('answers large ones to whom they belong', async () => {
    const requests = ['a', 'b', 'c'].map(tenant => ({ units: [unit({ tenant })] }))
    const read = await Promise.all(requests.map(request => intake.read(padded(request))))
    expect(read.map(one => one.kind === 'prepared' && one.units[0])).toMatchObject([
      { tenant: 'a' },
      { tenant: 'b' },
      { tenant: 'c' },
    ])
  })

  it('leaves this thread free while it reads the largest of bodies', async () => {
    const options = Array.from({ length: 1_024 }, (_, i): [string, string] => [
      `option ${i}`,
      'words and more words',
    ])
    const questions = Array.from({ length: 64 }, () => ({
      type: 'choice' as const,
      instructions: 'Which?',
      options,
    }))
    const body = bytes({ units: [unit({ questions })] })
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    const start = performance.now()
    const read = await intake.read(body)
    const turnsPerSecond = (turns * 1_000) / (performance.now() - start)
    clearInterval(timer)
    expect(read.kind).toBe('prepared')
    // Reading it here would be a single turn; on a busy machine there are still tens in a second.
    expect(turnsPerSecond).toBeGreaterThan(10)
  })
})
