import { expect, it } from 'vitest'
import { Gathered } from './gathered.ts'

it('an item that is left while those before it are on their way is carried too', async () => {
  const carried: string[] = []
  const gathered = new Gathered<string>(1, async (_, items) => {
    carried.push(...items)
    if (items.includes('first')) await gathered.leave('there', 'second')
  })
  await gathered.leave('there', 'first')
  expect(carried).toEqual(['first', 'second'])
})
