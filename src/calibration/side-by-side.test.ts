import { expect, it } from 'vitest'
import { SideBySide } from './side-by-side.ts'

const setup = () => {
  const floor = new SideBySide()
  const events: string[] = []
  const work = (name: string, ms: number) => async () => {
    events.push(`${name} begins`)
    await new Promise(resolve => setTimeout(resolve, ms))
    events.push(`${name} ends`)
    return name
  }
  return { floor, events, work }
}

it('does work side by side', async () => {
  const { floor, events, work } = setup()
  await Promise.all([floor.beside(work('one', 20)), floor.beside(work('two', 5))])
  expect(events).toEqual(['one begins', 'two begins', 'two ends', 'one ends'])
})

it('lets work be alone: it waits for the rest, and what comes later waits for it', async () => {
  const { floor, events, work } = setup()
  const one = floor.beside(work('one', 10))
  await new Promise(setImmediate)
  const alone = [floor.alone(work('alone', 10)), floor.alone(work('also alone', 5))]
  const two = floor.beside(work('two', 1))
  expect(await Promise.all([one, ...alone, two])).toEqual(['one', 'alone', 'also alone', 'two'])
  expect(events).toEqual(
    ['one', 'alone', 'also alone', 'two'].flatMap(name => [`${name} begins`, `${name} ends`]),
  )
})

it('lets work that waits begin before what asks to be alone after it', async () => {
  const { floor, events, work } = setup()
  await Promise.all([
    floor.alone(work('alone', 1)),
    floor.beside(work('one', 10)),
    floor.alone(work('also alone', 1)),
  ])
  expect(events).toEqual(['alone', 'one', 'also alone'].flatMap(name => [`${name} begins`, `${name} ends`]))
})

it('fails what comes later with what failed alone, but not what was under way', async () => {
  const { floor, events, work } = setup()
  const one = floor.beside(work('one', 10))
  await new Promise(setImmediate)
  const outcomes = await Promise.allSettled([
    one,
    floor.alone(() => Promise.reject(new Error('no answer'))),
    floor.alone(work('alone', 1)),
    floor.beside(work('two', 1)),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected'])
  expect(events).toEqual(['one begins', 'one ends'])
})

it('goes on after work side by side has failed, even while that is waited for', async () => {
  const { floor, work } = setup()
  const failing = floor.beside(async () => {
    await work('one', 5)()
    throw new Error('no answer')
  })
  await new Promise(setImmediate)
  const outcomes = await Promise.allSettled([failing, floor.alone(work('alone', 1))])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
})
