import { expect, it } from 'vitest'
import { type FitOptions, readOptions } from './options.ts'

const env = { DECIDER_API_KEY: 'a_key' }

it('takes what is given, and otherwise what the environment and the defaults say', () => {
  const where = { DECIDER_API_KEY: 'a_key', DECIDER_URL: 'http://127.0.0.1:1' }
  const plain = { file: 'examples.jsonl', url: 'http://127.0.0.1:1', key: 'a_key', model: null }
  const fit = { ...plain, kind: 'fit', targetError: 0.05, offsets: false }
  expect(readOptions(['examples.jsonl'], where)).toEqual({
    ...fit,
    ...{ report: 'report.html', profile: 'profile.txt' },
  })
  const given = ['examples.jsonl', '--url', 'http://127.0.0.1:2', '--key', 'mine', '--model', 'decider']
  const other = { file: 'examples.jsonl', url: 'http://127.0.0.1:2', key: 'mine', model: 'decider' }
  const files = { report: 'r.html', profile: 'p.txt' }
  expect(readOptions([...given, '--report', 'r.html', '--profile', 'p.txt'], where)).toEqual({
    ...fit,
    ...other,
    ...files,
  })
  expect(readOptions([...given, '--score'], where)).toEqual({ ...other, kind: 'score' })
})

it('takes one file', () => {
  expect(() => readOptions([], env)).toThrow(/^Usage/)
  expect(() => readOptions(['one.jsonl', 'two.jsonl'], env)).toThrow(/^One file is read/)
})

it('refuses an option that it does not know, in one sentence before its usage', () => {
  expect(() => readOptions(['one.jsonl', '--target'], env)).toThrow(/^Unknown option '--target'\.\n\nUsage/)
})

it('asks for the value of an option that another one follows', () => {
  expect(() => readOptions(['one.jsonl', '--check', '--target-error', '0.1'], env)).toThrow(
    /^Option '--check' argument is ambiguous\.\n.+\n.+'--check=-XYZ'\.\n\nUsage/,
  )
})

it('takes a target error that a fit can have, and 5% if none is given', () => {
  const targetOf = (...args: string[]) =>
    (readOptions(['examples.jsonl', ...args], env) as FitOptions).targetError
  expect([targetOf(), targetOf('--target-error', '0.02')]).toEqual([0.05, 0.02])
  for (const wrong of ['0', '0.5', '5%', '0.02,"x":1'])
    expect(() => targetOf('--target-error', wrong)).toThrow('must be a number above 0 and below 0.5')
})

it('refuses to write a file over another, or over the examples', () => {
  for (const files of [
    ['--report', './profile.txt'],
    ['--profile', 'report.html'],
    ['--profile', 'examples.jsonl'],
  ])
    expect(() => readOptions(['examples.jsonl', ...files], env)).toThrow('must be three different files')
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
