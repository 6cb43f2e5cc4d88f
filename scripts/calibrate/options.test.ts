import { expect, it } from 'vitest'
import { type FitOptions, readOptions } from './options.ts'

const env = { DECIDER_API_KEY: 'a_key' }

it('takes a target error that a fit can have, and 5% if none is given', () => {
  const targetOf = (...args: string[]) =>
    (readOptions(['examples.jsonl', ...args], env) as FitOptions).targetError
  expect([targetOf(), targetOf('--target-error', '0.02')]).toEqual([0.05, 0.02])
  for (const wrong of ['0', '0.5', '5%', '0.02,"x":1'])
    expect(() => targetOf('--target-error', wrong)).toThrow('must be a number above 0 and below 0.5')
})

it('refuses to check and to say where a new profile or its report should go', () => {
  for (const file of ['--profile', '--report'])
    expect(() => readOptions(['examples.jsonl', '--check', 'profile.txt', file, 'a'], env)).toThrow(
      '--check writes neither',
    )
})

it('checks against no target but one that is given', () => {
  const check = ['fresh.jsonl', '--check', 'profile.txt']
  expect(() => readOptions(check, env)).toThrow('--check needs --target-error')
  expect(readOptions([...check, '--target-error', '0.1'], env)).toMatchObject({ targetError: 0.1 })
})

it('only scores answers if asked to, and takes no option of a fit or a check then', () => {
  const read = (...args: string[]) => readOptions(['examples.jsonl', '--score', ...args], env)
  expect(read('--model', 'mine')).toMatchObject({ kind: 'score', file: 'examples.jsonl', model: 'mine' })
  for (const other of ['--check', '--target-error', '--report', '--profile'])
    expect(() => read(other, 'x')).toThrow(`--score fits and checks nothing: leave out ${other}.`)
  expect(() => read('--offsets')).toThrow('leave out --offsets')
})

it('fits offsets only if asked to, and never in a check', () => {
  const read = (...args: string[]) => readOptions(['examples.jsonl', ...args], env)
  expect([read(), read('--offsets')]).toMatchObject([{ offsets: false }, { offsets: true }])
  const check = ['--check', 'profile.txt', '--target-error', '0.1']
  expect(() => read(...check, '--offsets')).toThrow('--check fits nothing')
})
