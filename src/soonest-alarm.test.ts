import { expect, it } from 'vitest'
import { SoonestAlarm } from './soonest-alarm.ts'

/** A Durable Object whose disk refuses its first alarm. */
const setup = () => {
  const set: number[] = []
  const waited: Promise<unknown>[] = []
  const storage = {
    setAlarm: async (at: number) => {
      if (set.push(at) === 1) throw new Error('The disk is full.')
    },
  }
  const ctx = { storage, waitUntil: (work: Promise<unknown>) => waited.push(work) }
  const alarm = new SoonestAlarm(ctx as never)
  return { alarm, set, settled: () => Promise.allSettled(waited) }
}

it('sets an alarm again that could not be set', async () => {
  const { alarm, set, settled } = setup()
  alarm.within(1_000)
  expect((await settled())[0]?.status).toBe('rejected')
  alarm.within(2_000)
  expect(set).toHaveLength(2)
})

it('does not replace a sooner alarm because a later one could not be set', async () => {
  const { alarm, set, settled } = setup()
  alarm.within(60_000)
  alarm.within(1_000)
  await settled()
  alarm.within(30_000)
  expect(set).toHaveLength(2)
})
