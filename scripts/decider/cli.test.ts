import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { decider, PROGRAM, serviceAnswering } from './testing.ts'

describe('decider without a command', () => {
  it('lists all commands', async () => {
    const { code, out } = await decider([])
    expect(code).toBe(0)
    for (const command of ['accounts top-up', 'keys set-rates', 'signing-keys retire', 'doctor']) {
      expect(out).toContain(command)
    }
  })

  it.each([
    [['keys', 'crate'], 'Unknown command.\n\nUsage'],
    [['accounts'], 'accounts is a group of commands.\n\nUsage'],
    [['cache'], 'cache is a group of commands.\n\nUsage'],
    [['--json'], 'Unknown command.\n\nUsage'],
    [['key', '--help'], 'Unknown command.\n\nUsage'],
    [['keys', 'revoke', 'acct_1'], '<key> is missing.'],
    [['accounts', 'create', 'poor'], 'Unexpected argument: poor'],
    [['accounts', 'list', '--all'], "Unknown option '--all'.\n\nUsage"],
    [['accounts', 'list', '--limit'], "Option '--limit <value>' argument missing.\n\nUsage"],
    [['usage', 'a', '--colour', 'red']],
  ])('ends %j with 2 and says how it is meant', async (args, why = '') => {
    const { code, out, err } = await decider(args)
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toContain(why)
    expect(err).toContain('Usage: npm run decider')
  })

  it.each([
    ['keys --help', 0],
    ['cache --help', 0],
    ['keys crate', 2],
    ['cache', 2],
    ['crate', 2],
  ])('lists the commands of one group where one is named, otherwise all: %s', async (words, expected) => {
    const { code, out, err } = await decider(words.split(' '))
    expect(code).toBe(expected)
    const listed = ['accounts list', 'keys list', 'signing-keys rotate', 'cache clear'].filter(name =>
      `${out}${err}`.includes(`\n  ${name} `),
    )
    const [group] = words.split(' ')
    expect(listed.map(name => name.split(' ')[0])).toEqual(
      group === 'crate' ? ['accounts', 'keys', 'signing-keys', 'cache'] : [group],
    )
  })

  it('explains one command', async () => {
    const { code, out } = await decider(['activity', '--help'])
    expect(code).toBe(0)
    expect(out).toContain('--status <status>')
  })

  it.each([
    ['accounts deduct', '<account> <dollars> --reference <text>'],
    ['accounts top-up', '<account> <dollars> (--reference <text> | --checkout <return URL>)'],
    ['accounts auto-reload', '<account> (--below <dollars> --amount <dollars> | --off)'],
    ['keys set-rates', '<account> <key> --requests <per second> --tokens <per minute>'],
    ['keys create', '<account> [options]'],
    ['keys list', '<account> [options]'],
    ['cache clear', '--scorer <URL> [options]'],
    ['doctor', '[options]'],
  ])('tells what %s needs from what it may be given', async (command, syntax) => {
    const { out } = await decider([...command.split(' '), '--help'])
    expect(out.split('\n')[0]).toBe(`Usage: npm run decider -- ${command} ${syntax}`)
    const needed = `${command} ${syntax}`.replace(/ ?\[options\]$/, '')
    const listed = (await decider([])).out.split('\n')
    expect(listed.filter(line => `${line}  `.startsWith(`  ${needed}  `))).toHaveLength(1)
  })

  it.each([
    ['accounts deduct acct_1 5', '--reference is required.'],
    ['keys set-rates acct_1 key_1 --tokens 5', '--requests is required.'],
    ['accounts top-up acct_1 5', 'Give --reference or --checkout.'],
    ['accounts auto-reload acct_1', 'Give --below and --amount, or --off.'],
    ['accounts auto-reload acct_1 --below 5', '--amount is required.'],
    [
      'accounts top-up acct_1 5 --reference r --checkout https://a.test',
      'Give --reference or --checkout, not both.',
    ],
    ['accounts auto-reload acct_1 --off --amount 20', 'Give --amount or --off, not both.'],
  ])('passes over no option, and invents none: %s', async (words, why) => {
    const { env, asked } = await serviceAnswering(200, {})
    const { code, err } = await decider(words.split(' '), { env })
    expect(code).toBe(2)
    expect(err.startsWith(`${why}\n\nUsage: npm run decider -- `)).toBe(true)
    expect(asked).toEqual([])
  })

  it('asks nothing with an empty argument', async () => {
    const { env, asked } = await serviceAnswering(200, {})
    const { code, err } = await decider(['keys', 'revoke', 'acct_1', ''], { env })
    expect({ code, err, asked }).toEqual({ code: 2, err: 'An argument is empty.\n', asked: [] })
  })

  it('asks for the admin secret where there is none', async () => {
    const { code, err } = await decider(['accounts', 'list', '--url', 'https://decider.test'])
    expect(code).toBe(2)
    expect(err).toContain('DECIDER_ADMIN_SECRET')
  })

  it('finds a service of this machine by the port it was started with', async () => {
    const { asked, env } = await serviceAnswering(200, { data: [] })
    const EDGE_PORT = new URL(env.DECIDER_URL).port
    await decider(['accounts', 'list'], { env: { EDGE_PORT, DECIDER_ADMIN_SECRET: 's' } })
    expect(asked).toMatchObject([{ line: 'GET /admin/v1/accounts' }])
  })

  it('asks at an address that ends in slashes as at any other', async () => {
    const { asked, env } = await serviceAnswering(200, { data: [] })
    await decider(['accounts', 'list', '--url', `${env.DECIDER_URL}//`], { env })
    expect(asked).toMatchObject([{ line: 'GET /admin/v1/accounts' }])
  })

  it('takes the options that all commands have in front of the command, too', async () => {
    const { asked, env } = await serviceAnswering(200, { data: [] })
    const args = ['--json', '--url', env.DECIDER_URL, 'accounts', 'list', '--limit', '2']
    const { code } = await decider(args, { env: { DECIDER_ADMIN_SECRET: 's' } })
    expect(code).toBe(0)
    expect(asked).toMatchObject([{ line: 'GET /admin/v1/accounts?limit=2' }])
  })

  it('takes an admin secret that ends its line, as one from a file may', async () => {
    const { env, asked } = await serviceAnswering(200, { data: [] })
    await decider(['accounts', 'list'], { env: { ...env, DECIDER_ADMIN_SECRET: 'secret\n' } })
    expect(asked).toMatchObject([{ authorization: 'Bearer secret' }])
  })

  it('says of an admin secret that no header can hold that it is none', async () => {
    const { env, asked } = await serviceAnswering(200, {})
    const { code, err } = await decider(['doctor'], { env: { ...env, DECIDER_ADMIN_SECRET: '…' } })
    expect({ code, err, asked }).toEqual({
      code: 2,
      err: 'DECIDER_ADMIN_SECRET contains characters that a header cannot hold.\n',
      asked: [],
    })
  })
})

it('a fault of the program itself is not told as if the service had refused', async () => {
  const stdin = () => Promise.reject(new TypeError('a mistake'))
  await expect(decider(['signing-keys', 'rotate'], { stdin })).rejects.toThrow(TypeError)
})

describe('npm run decider', () => {
  it('writes lines where a program reads them', async () => {
    const { env } = await serviceAnswering(200, { data: [{ id: 'acct_1', name: 'Ada' }] })
    const child = spawn(process.execPath, [PROGRAM, 'accounts', 'list'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    expect(await Promise.all([text(child.stdout), text(child.stderr)])).toEqual(['acct_1\tAda\t–\t–\n', ''])
  })

  it('is content with a reader that has closed the pipe', async () => {
    const child = spawn(process.execPath, [PROGRAM, 'signing-keys', 'create'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    const ended = once(child, 'close')
    expect(await text(child.stderr)).not.toContain('could not be written')
    expect(await ended).toEqual([0, null])
  })
})

it.runIf(process.platform === 'linux')(
  'an output that found no room is a failure, and said to be one',
  () => {
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, 'signing-keys', 'create'], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      encoding: 'utf8',
    })
    expect(stderr).toContain('The output could not be written: ENOSPC.')
    expect(status).toBe(1)
  },
)
