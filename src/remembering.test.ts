import { describe, expect, it } from 'vitest'
import { remembering } from './remembering.ts'

describe('a function that remembers', () => {
  it('asks once for what it still knows, and forgets the oldest first', () => {
    const asked: string[] = []
    const shout = remembering(2, text => {
      asked.push(text)
      return `${text}!`
    })
    for (const text of ['a', 'b', 'a', 'c', 'b', 'a']) expect(shout(text)).toBe(`${text}!`)
    expect(asked).toEqual(['a', 'b', 'c', 'a'])
  })
})
