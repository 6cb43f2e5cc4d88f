import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { Gathered } from './gathered.ts'

const WAIT_MS = 100
const CARRIER_GONE_AFTER_MS = 2_000

it('items left within the wait travel with the first, all to one place together, but those already taken', async () => {
  const carried: [string, string[]][] = []
  const gathered = new Gathered<string>(1, async (destination, items) => {
    if (destination === 'there') await pause(10)
    carried.push([destination, items])
  })
  const carrying = gathered.leave('here', 'first')
  for (const destination of ['there', 'here', 'elsewhere'])
    expect(gathered.leave(destination, 'later')).toBeNull()
  expect([gathered.take('elsewhere'), gathered.take('nowhere')]).toEqual([['later'], []])
  await carrying
  expect(carried).toEqual([
    ['here', ['first', 'later']],
    ['there', ['later']],
  ])
})

it('an item that is left while those before it are on their way is carried too', async () => {
  const carried: string[] = []
  const gathered = new Gathered<string>(1, async (_, items) => {
    carried.push(...items)
    if (items.includes('first')) await gathered.leave('there', 'second')
  })
  await gathered.leave('there', 'first')
  expect(carried).toEqual(['first', 'second'])
})

/** A first item is left, whose carrier is cut off before it sets out. */
const afterCutOff = () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const carried: string[] = []
  const gathered = new Gathered<string>(WAIT_MS, async (_, items) => carried.push(...items))
  expect(gathered.leave('there', 'first')).not.toBeNull()
  vi.clearAllTimers()
  return { gathered, carried }
}

it('items whose carrier was cut off travel with the first that is left two seconds later', async () => {
  const { gathered, carried } = afterCutOff()
  vi.setSystemTime(Date.now() + CARRIER_GONE_AFTER_MS - 1)
  expect(gathered.leave('there', 'second')).toBeNull()
  vi.setSystemTime(Date.now() + 1)
  const carrying = gathered.leave('there', 'third')
  await vi.advanceTimersByTimeAsync(WAIT_MS - 1)
  expect(carried).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  await carrying
  expect(carried).toEqual(['first', 'second', 'third'])
})

it('items whose carrier was cut off do not wait for a clock that was set back since', async () => {
  const { gathered, carried } = afterCutOff()
  vi.setSystemTime(Date.now() - CARRIER_GONE_AFTER_MS)
  const carrying = gathered.leave('there', 'second')
  await vi.advanceTimersByTimeAsync(WAIT_MS)
  await carrying
  expect(carried).toEqual(['first', 'second'])
})
