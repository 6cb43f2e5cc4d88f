import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startScorer } from '../../scorer/testing/scorer.ts'
import { nothingHere } from '../../src/http/nothing-here.ts'
import { readProfileKeys } from '../../src/profiles/profile-keys.ts'
import { run, type Terminal } from './cli.ts'

let server: Server | undefined
afterEach(() => server?.close())

const decider = async (args: string[], given: Partial<Terminal> = {}) => {
  let out = ''
  let err = ''
  const code = await run(args, {
    env: {},
    isTerminal: true,
    stdin: async () => null,
    out: line => (out += `${line}\n`),
    err: line => (err += `${line}\n`),
    ...given,
  })
  return { code, out, err }
}

/** A service that gives every request the same answer and remembers the requests. */
const serviceAnswering = async (status: number, answer: unknown, requestId: string | null = 'req_1') => {
  const asked: { line: string; authorization: string | undefined; body: string }[] = []
  server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    asked.push({
      line: `${request.method} ${request.url}`,
      authorization: request.headers.authorization,
      body,
    })
    if (requestId !== null) response.setHeader('decider-request-id', requestId)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { asked, env: { DECIDER_URL: `http://127.0.0.1:${port}`, DECIDER_ADMIN_SECRET: 's3cret' } }
}

/** The data folder of a service, whose secrets cannot be read. */
const damagedSecrets = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'decider-cli-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'secrets.json'), '{"ADMIN_SECRET": hunter2}')
  return folder
}

describe('decider without a command', () => {
  it('lists all commands', async () => {
    const { code, out } = await decider([])
    expect(code).toBe(0)
    for (const command of ['accounts top-up', 'keys set-rates', 'signing-keys retire', 'doctor']) {
      expect(out).toContain(command)
    }
  })

  it.each([
    [['keys', 'crate']],
    [['accounts']],
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

  it('lists the commands of one group', async () => {
    const { code, out } = await decider(['keys', '--help'])
    expect(code).toBe(0)
    expect(out).toContain('  keys set-rates <account> <key>')
    expect(out).not.toContain('accounts list')
    expect(out).not.toContain('signing-keys')
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
    ['keys list', '<account>'],
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

describe('doctor --scorer', () => {
  const args = ['doctor', '--scorer']
  const SCORER_SECRET = `k1:${'A'.repeat(43)}`

  it('asks that scorer itself, needs no admin secret, and says what it heard', async () => {
    const { env, asked } = await serviceAnswering(503, { ok: true, ready: false })
    const { code, out } = await decider([...args, env.DECIDER_URL], { env: { SCORER_SECRET } })
    expect(code).toBe(1)
    expect(out).toMatch(/FAIL +scorer +draining: it is being stopped/)
    expect(asked.map(({ line }) => line)).toEqual(['GET /healthz', 'GET /healthz'])
  })

  it.each([
    [{}, [], 'Set SCORER_SECRET'],
    [{ SCORER_SECRET }, ['--url', 'https://api.example.com'], 'Give --scorer or --url, not both.'],
  ])('with %j and %j ends with 2', async (env, more, says) => {
    const { code, err } = await decider([...args, 'http://127.0.0.1:9', ...more], { env })
    expect(code).toBe(2)
    expect(err).toContain(says)
  })
})

describe('a list', () => {
  const answer = {
    data: [
      { id: 'acct_1', name: 'Ada\u001b[2J', created_at: '2026-11-21T00:00:00.000Z', closed_at: null },
      {
        id: 'acct_22',
        name: 'Grace',
        created_at: '2026-11-22T00:00:00.000Z',
        closed_at: '2026-11-23T00:00:00.000Z',
      },
    ],
  }

  it('is a table for a person, in which no name can steer the terminal', async () => {
    const { env, asked } = await serviceAnswering(200, answer)
    const { code, out } = await decider(['accounts', 'list', '--limit', '2'], { env })
    expect(code).toBe(0)
    expect(out).toBe(
      [
        'account  name     created                   closed',
        '───────  ───────  ────────────────────────  ────────────────────────',
        'acct_1   Ada\uFFFD[2J  2026-11-21T00:00:00.000Z  –',
        'acct_22  Grace    2026-11-22T00:00:00.000Z  2026-11-23T00:00:00.000Z',
        '',
      ].join('\n'),
    )
    expect(asked).toEqual([
      { line: 'GET /admin/v1/accounts?limit=2', authorization: 'Bearer s3cret', body: '' },
    ])
  })

  it('is tab-separated lines for a pipe', async () => {
    const { env } = await serviceAnswering(200, answer)
    const { out } = await decider(['accounts', 'list'], { env, isTerminal: false })
    expect(out.split('\n')[1]).toBe('acct_22\tGrace\t2026-11-22T00:00:00.000Z\t2026-11-23T00:00:00.000Z')
  })

  it('that is empty is a sentence for a person, and nothing for a pipe', async () => {
    const { env } = await serviceAnswering(200, { data: [] })
    const args = ['keys', 'list', 'acct_1']
    expect((await decider(args, { env })).out).toMatch(/^.+\.\n$/)
    expect((await decider(args, { env, isTerminal: false })).out).toBe('')
  })

  it.each(['accounts list', 'accounts credits acct_1', 'accounts charges acct_1', 'activity acct_1'])(
    'that is not the last page says how to go on: %s',
    async words => {
      const last = await serviceAnswering(200, { data: [], next_cursor: null })
      expect((await decider(words.split(' '), last)).err).toBe('')
      server?.close()
      const first = await serviceAnswering(200, { data: [], next_cursor: 'c1' })
      expect((await decider(words.split(' '), first)).err).toBe(
        'There are more. To continue, add --cursor c1\n',
      )
      expect((await decider([...words.split(' '), '--json'], first)).err).toBe('')
    },
  )

  it('is the answer itself with --json', async () => {
    const { env } = await serviceAnswering(200, answer)
    const { out } = await decider(['accounts', 'list', '--json'], { env })
    expect(JSON.parse(out)).toEqual(answer)
  })
})

describe('a new key', () => {
  it('is alone on standard output', async () => {
    const { env, asked } = await serviceAnswering(201, { id: 'key_1', key: 'sk_decider_x' })
    const { out, err } = await decider(['keys', 'create', 'acct/1', '--kind', 'playground'], { env })
    expect(out).toBe('sk_decider_x\n')
    expect(err).toContain('key_1')
    expect(asked[0]).toMatchObject({
      line: 'POST /admin/v1/accounts/acct%2F1/keys',
      body: '{"kind":"playground"}',
    })
  })
})

describe('the id of a key', () => {
  it('is enough to find whose key it is', async () => {
    const key = { id: 'key_1', name: 'server', limits: {}, account_id: 'acct_1', account_name: 'Ada' }
    const { env, asked } = await serviceAnswering(200, key)
    const { out } = await decider(['keys', 'show', 'key_1'], { env })
    expect(out).toMatch(/^account +acct_1\naccount name +Ada\nkey +key_1\n/)
    expect(asked[0]?.line).toBe('GET /admin/v1/keys/key_1')
  })
})

describe('a new name', () => {
  it('is sent as it was given', async () => {
    const { env, asked } = await serviceAnswering(200, { id: 'acct_1', name: 'Ada & Co' })
    const { out } = await decider(['accounts', 'rename', 'acct_1', 'Ada & Co'], { env })
    expect(out).toMatch(/^name +Ada & Co$/m)
    expect(asked).toMatchObject([{ line: 'PUT /admin/v1/accounts/acct_1/name', body: '{"name":"Ada & Co"}' }])
  })
})

describe('closing an account', () => {
  it.each([
    [
      4_999_999_000,
      '4.999999',
      '\\$4.999999',
      '$4.999999 is left in the account. Usage of the last two minutes',
    ],
    [-2_500_000_000, '-2.50', '-\\$2.50', 'The account owes $2.50. Usage of the last two minutes'],
    [0, '0.00', '\\$0.00', ''],
  ])('says what is left in it: %d', async (balance_nanodollars, balance_usd, shown, says) => {
    const account = { id: 'acct_1', closed_at: '2026-11-28T00:00:00.000Z', balance_nanodollars, balance_usd }
    const { env, asked } = await serviceAnswering(200, account)
    const { code, out, err } = await decider(['accounts', 'close', 'acct_1'], { env })
    expect(code).toBe(0)
    expect(out).toMatch(/^closed +2026-11-28T00:00:00.000Z$/m)
    expect(out).toMatch(new RegExp(`^balance +${shown}$`, 'm'))
    if (says === '') expect(err).toBe('')
    else expect(err).toContain(says)
    expect(asked[0]?.line).toBe('POST /admin/v1/accounts/acct_1/close')
  })

  it('is undone by reopening it', async () => {
    const { env, asked } = await serviceAnswering(200, { id: 'acct_1', closed_at: null })
    expect((await decider(['accounts', 'reopen', 'acct_1'], { env })).out).toMatch(/^closed +–$/m)
    expect(asked[0]?.line).toBe('POST /admin/v1/accounts/acct_1/reopen')
  })
})

describe('a booking', () => {
  it.each([
    ['top-up', 'credited'],
    ['deduct', 'deducted'],
  ])('whose reference was used before says that it changed nothing: %s', async (command, done) => {
    const args = ['accounts', command, 'acct_1', '7.00', '--reference', 'invoice 1']
    const first = await serviceAnswering(200, { id: 'acct_1', [done]: true })
    expect((await decider(args, first)).err).toBe('')
    server?.close()
    const again = await serviceAnswering(200, { id: 'acct_1', [done]: false })
    expect((await decider(args, again)).err).toBe('Nothing changed: this reference was used before.\n')
  })

  it('is listed with the others', async () => {
    const credit = { at: '2026-11-21T00:00:00.000Z', kind: 'top_up', amount_usd: '5.00', reference: 'r 1' }
    const deduction = { ...credit, kind: 'deduction', amount_usd: '-1.00' }
    const { env, asked } = await serviceAnswering(200, { data: [credit, deduction] })
    const { out } = await decider(['accounts', 'credits', 'acct_1'], { env, isTerminal: false })
    expect(out).toBe(
      '2026-11-21T00:00:00.000Z\ttop_up\t$5.00\tr 1\n2026-11-21T00:00:00.000Z\tdeduction\t-$1.00\tr 1\n',
    )
    expect(asked[0]?.line).toBe('GET /admin/v1/accounts/acct_1/credits')
  })
})

describe('what keys were charged', () => {
  it('is listed by day and key', async () => {
    const charge = { day: '2026-11-21', key_id: 'key_1', requests: 2, input_tokens: 30, cost_usd: '0.000003' }
    const { env, asked } = await serviceAnswering(200, { data: [charge] })
    const { out } = await decider(['accounts', 'charges', 'acct_1', '--limit', '1'], {
      env,
      isTerminal: false,
    })
    expect(out).toBe('2026-11-21\tkey_1\t2\t30\t$0.000003\n')
    expect(asked[0]?.line).toBe('GET /admin/v1/accounts/acct_1/charges?limit=1')
  })
})

describe('a refusal', () => {
  const refusal = { error: { code: 'invalid_schema', message: 'amount_usd must be an amount.' } }

  it('is one sentence and 1', async () => {
    const { env } = await serviceAnswering(422, refusal)
    const { code, out, err } = await decider(['accounts', 'top-up', 'acct_1', 'five', '--reference', 'r'], {
      env,
    })
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: 'amount_usd must be an amount. (invalid_schema)\n',
    })
  })

  it('is the answer itself with --json', async () => {
    const { env } = await serviceAnswering(422, refusal)
    const { code, err } = await decider(['accounts', 'show', 'acct_1', '--json'], { env })
    expect(code).toBe(1)
    expect(JSON.parse(err)).toEqual(refusal)
  })

  describe('that is a fault of the service', () => {
    const fault = { error: { code: 'internal_error', message: 'Its logs name the fault by the request id.' } }

    it('comes with the id by which the logs name it', async () => {
      const { env } = await serviceAnswering(500, fault)
      const { code, err } = await decider(['accounts', 'list'], { env })
      expect({ code, err }).toEqual({
        code: 1,
        err: 'Its logs name the fault by the request id. (internal_error) Its request id is req_1.\n',
      })
    })

    it('comes with it also with --json', async () => {
      const { env } = await serviceAnswering(500, fault)
      const { err } = await decider(['accounts', 'list', '--json'], { env })
      expect(JSON.parse(err)).toEqual({ ...fault, request_id: 'req_1' })
    })

    it('is told as it came if a proxy answered in its place', async () => {
      const { env } = await serviceAnswering(502, 'Bad gateway', null)
      expect((await decider(['accounts', 'list'], { env })).err).toBe('The service answered 502.\n')
    })
  })

  it('for want of a service says where none was', async () => {
    const env = { DECIDER_URL: 'http://127.0.0.1:9', DECIDER_ADMIN_SECRET: 's' }
    const { code, err } = await decider(['accounts', 'list'], { env })
    expect(code).toBe(1)
    expect(err).toContain('http://127.0.0.1:9 does not answer')
  })

  it('for a name that nobody has says where none was, too', async () => {
    const env = { DECIDER_URL: 'http://nobody.invalid', DECIDER_ADMIN_SECRET: 's' }
    const { code, err } = await decider(['accounts', 'verify', 'acct_1'], { env })
    expect(code).toBe(1)
    expect(err).toBe('http://nobody.invalid does not answer. Is the service running there?\n')
  })

  describe('for want of an answer to a request that may have arrived', () => {
    const IN_DOUBT = 'The command may have been carried out: look before you repeat it.\n'
    const silent = async (onRequest: (request: IncomingMessage) => void) => {
      server = createServer(onRequest)
      await new Promise<void>(resolve => server?.listen(0, '127.0.0.1', resolve))
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }
    const send = (DECIDER_URL: string, command = ['accounts', 'verify', 'acct_1']) =>
      decider(command, { env: { DECIDER_URL, DECIDER_ADMIN_SECRET: 's' } })

    it('leaves open what a command did whose connection broke', async () => {
      const url = await silent(({ socket }) => socket.resetAndDestroy())
      const { code, err } = await send(url)
      expect({ code, err }).toEqual({
        code: 1,
        err: `The connection to ${url} broke (read ECONNRESET). ${IN_DOUBT}`,
      })
    })

    it('leaves it open, too, if the time is over', async () => {
      const url = await silent(() => {})
      const timeout = AbortSignal.timeout.bind(AbortSignal)
      vi.spyOn(AbortSignal, 'timeout').mockImplementationOnce(() => timeout(50))
      const { code, err } = await send(url)
      expect({ code, err }).toEqual({ code: 1, err: `${url} did not answer within 30 s. ${IN_DOUBT}` })
    })

    it('leaves nothing open if the command only reads', async () => {
      const { err } = await send(await silent(({ socket }) => socket.destroy()), ['accounts', 'list'])
      expect(err).toMatch(/^The connection to .+ broke \(other side closed\)\.\n$/)
    })
  })

  it('by what answers everything, and is none of ours, is told as such', async () => {
    const { env } = await serviceAnswering(200, {}, null)
    const { code, out, err } = await decider(['accounts', 'list'], { env })
    expect({ code, out, err }).toEqual({
      code: 1,
      out: '',
      err: `The server at ${env.DECIDER_URL} is not Decider.\n`,
    })
    const doctor = await decider(['doctor'], { env })
    expect(doctor.code).toBe(1)
    expect(doctor.out).toContain('answered 200 instead of 401')
    expect(doctor.out).toMatch(/FAIL +admin API +The server at .+ is not Decider\./)
  })

  it('is not what an answer is that ended early', async () => {
    const { env } = await serviceAnswering(200, undefined)
    const { code, err } = await decider(['accounts', 'list'], { env })
    expect({ code, err }).toEqual({
      code: 1,
      err: 'The answer ended early. The command may have taken effect.\n',
    })
  })

  it.each(['api.example.com', 'localhost:8787', 'ftp://api.example.com', 'https://'])(
    'for the address %s says what one looks like',
    async DECIDER_URL => {
      const env = { DECIDER_URL, DECIDER_ADMIN_SECRET: 's' }
      const { code, err } = await decider(['accounts', 'list'], { env })
      expect(code).toBe(2)
      expect(err).toContain('such as https://api.example.com')
    },
  )

  it('for a service without the admin API, or with an older one, says why, and keeps any other 404', async () => {
    const off = await serviceAnswering(404, { error: { code: 'not_found', message: nothingHere().message } })
    expect((await decider(['accounts', 'list'], { env: off.env })).err.trim()).toBe(
      'The service has no such admin API: its ADMIN_SECRET is not set, it is older than this program, or its address ends in a path such as /v1.',
    )
    server?.close()
    const other = await serviceAnswering(404, { error: { code: 'not_found', message: 'No such account.' } })
    expect((await decider(['accounts', 'list'], { env: other.env })).err).toContain('No such account.')
  })

  it('for a damaged file of secrets names it, and tells nothing of it', async () => {
    const DATA_DIR = await damagedSecrets()
    const { code, err } = await decider(['accounts', 'list'], { env: { DATA_DIR } })
    expect(code).toBe(2)
    expect(err).toContain(`${join(DATA_DIR, 'secrets.json')} is damaged`)
    expect(err).not.toContain('hunter2')
  })
})

describe('the secret of `npm run dev`', () => {
  const asked = async (url: string) =>
    (await decider(['accounts', 'list', '--url', url], { env: { DATA_DIR: await damagedSecrets() } })).err

  it.each(['http://127.0.0.1:8787', 'http://localhost', 'http://localhost/decider', 'http://[::1]:8787'])(
    'is read for a service on this machine: %s',
    async url => expect(await asked(url)).toContain('is damaged'),
  )

  it.each(['https://localhost', 'http://localhost.example.com', 'http://localhost:x@example.com'])(
    'is not read for any other: %s',
    async url => expect(await asked(url)).toContain('Set DECIDER_ADMIN_SECRET'),
  )
})

describe('cache clear', () => {
  const notOne = 'is not a scorer, or a proxy that does not pass this on'
  it.each([
    [401, { error: 'bad_signature', message: 'the signature is wrong' }, 'refuses: the signature is wrong.'],
    [404, '<h1>Not Found</h1>', `${notOne} (404): ask each scorer at an address of its own.`],
    [200, {}, `${notOne} (200): ask each scorer at an address of its own.`],
  ])('says why nothing was forgotten if the answer is %i %j', async (status, answer, why) => {
    const { env } = await serviceAnswering(status, answer)
    const SCORER_SECRET = `scorer-1:${'A'.repeat(43)}`
    const { code, err } = await decider(['cache', 'clear', '--scorer', env.DECIDER_URL], {
      env: { SCORER_SECRET },
    })
    expect(code).toBe(1)
    expect(err).toContain(why)
  })
})

it('cache clear --account refuses what is not the id of an account: nothing would be forgotten', async () => {
  const { env, asked } = await serviceAnswering(200, { cleared: 0 })
  const args = ['cache', 'clear', '--scorer', env.DECIDER_URL, '--account', 'key_0d6d08c2809cf195b4e9256d']
  const { code, err } = await decider(args, { env: { SCORER_SECRET: `scorer-1:${'A'.repeat(43)}` } })
  expect({ code, err }).toEqual({ code: 2, err: '--account must be the id of an account, acct_…\n' })
  expect(asked).toEqual([])
})

it.each([
  ['doctor', '127.0.0.1:8788'],
  ['cache clear', 'localhost:8788'],
])('%s --scorer %s is refused: nothing could answer there', async (command, address) => {
  const SCORER_SECRET = `scorer-1:${'A'.repeat(43)}`
  const { code, err } = await decider([...command.split(' '), '--scorer', address], {
    env: { SCORER_SECRET },
  })
  expect(code).toBe(2)
  expect(err).toBe('--scorer must be a full address, such as http://127.0.0.1:8788.\n')
})

describe('the doctor', () => {
  it.each([
    [404, 'is not the base address of the service'],
    [500, 'one of the secrets or variables below is malformed'],
  ])('says what a %i of the edge means', async (status, why) => {
    const { env } = await serviceAnswering(status, {})
    const { code, out } = await decider(['doctor'], { env })
    expect(code).toBe(1)
    expect(out).toContain(why)
  })
})

describe('the doctor of one scorer', () => {
  const secretOf = (id: string) => `${id}:${'A'.repeat(43)}`
  const examine = (url: string, SCORER_SECRET: string) =>
    decider(['doctor', '--scorer', url], { env: { SCORER_SECRET }, isTerminal: false })

  it('tests each key of a list, as the scorer has one while keys are rotated', async () => {
    const scorer = await startScorer({ SCORER_SECRET: `${secretOf('scorer-1')},${secretOf('scorer-2')}` })
    onTestFinished(scorer.stop)
    const { code, out } = await examine(scorer.url, `${secretOf('scorer-1')}, ${secretOf('scorer-2')}`)
    expect(out).toMatch(
      /^ok\tscorer\t.+\nok\tscorer signature by scorer-1\tscored .+\nok\tscorer signature by scorer-2\tscored .+\n$/,
    )
    expect(code).toBe(0)

    const other = await examine(scorer.url, `${secretOf('scorer-2')},${secretOf('scorer-3')}`)
    expect(other.out).toMatch(/^ok\tscorer signature by scorer-2\t/m)
    expect(other.out).toMatch(/^FAIL\tscorer signature by scorer-3\tbad_signature: /m)
    expect(other.code).toBe(1)
  })

  it('refuses what is no list of keys, and tells nothing of it', async () => {
    const { code, out, err } = await examine('http://127.0.0.1:9', `${secretOf('scorer-1')},hunter2`)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^SCORER_SECRET must be <id>:/)
    expect(err).not.toMatch(/AAAA|hunter2/)
  })
})

describe('signing keys', () => {
  const ids = (out: string) => readProfileKeys(out.trim()).map(key => key.id)

  it('are created, rotated and retired, and what is printed is PROFILE_KEYS', async () => {
    const first = await decider(['signing-keys', 'create', '--id', 'k1'])
    const second = await decider(['signing-keys', 'rotate', '--id', 'k2'], { stdin: async () => first.out })
    expect(ids(second.out)).toEqual(['k2', 'k1'])
    expect(second.out).toContain(first.out.trim())
    const third = await decider(['signing-keys', 'retire', 'k1'], {
      env: { PROFILE_KEYS: second.out.trim() },
    })
    expect(ids(third.out)).toEqual(['k2'])
  })

  it.each([
    [['signing-keys', 'retire', 'k1'], 'Rotate first'],
    [['signing-keys', 'retire', 'k9'], 'no key with that id'],
    [['signing-keys', 'rotate', '--id', 'k1'], 'already'],
    [['signing-keys', 'rotate', '--id', 'k.1'], 'letters, digits, hyphens'],
    [['signing-keys', 'create', '--id', ''], 'letters, digits, hyphens'],
  ])('%j is refused', async (args, why) => {
    const { out } = await decider(['signing-keys', 'create', '--id', 'k1'])
    const { code, err } = await decider(args, { stdin: async () => out })
    expect(code).toBe(2)
    expect(err).toContain(why)
  })

  describe('of which a shell still exports an older list', () => {
    const [older, newer] = ['k1', 'k2'].map(id => `${id}:${'A'.repeat(43)}`)
    const rotate = (piped: string | null) =>
      decider(['signing-keys', 'rotate', '--id', 'k3'], {
        env: { PROFILE_KEYS: older },
        stdin: async () => piped,
      })

    it.each([
      [`${newer},${older}\n`, 'The list piped in is not the one in PROFILE_KEYS.'],
      ['\n', 'an empty list was piped in'],
      ['hunter2', 'PROFILE_KEYS must be'],
    ])('are not guessed from it: %j', async (piped, why) => {
      const { code, out, err } = await rotate(piped)
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(err).toContain(why)
      expect(err).not.toMatch(/AAAA|hunter2/)
    })

    it.each([null, ` ${older}\n`])(
      'are taken where both are the same, or only one is given: %j',
      async piped => expect(ids((await rotate(piped)).out)).toEqual(['k3', 'k1']),
    )

    it('are those piped in if the variable is empty', async () => {
      const given = { env: { PROFILE_KEYS: '' }, stdin: async () => `${newer},${older}` }
      const { out } = await decider(['signing-keys', 'rotate', '--id', 'k3'], given)
      expect(ids(out)).toEqual(['k3', 'k2', 'k1'])
    })

    it.each([
      ['ignore', 0],
      ['pipe', 2],
    ] as const)('are read from an input that is a %s', (input, code) => {
      const cli = join(import.meta.dirname, '..', 'decider.ts')
      const { status } = spawnSync(process.execPath, [cli, 'signing-keys', 'rotate', '--id', 'k3'], {
        env: { ...process.env, PROFILE_KEYS: older },
        input: `${newer},${older}`,
        stdio: [input, 'ignore', 'ignore'],
      })
      expect(status).toBe(code)
    })
  })

  it('that cannot be read are not repeated', async () => {
    const { code, err } = await decider(['signing-keys', 'rotate'], { stdin: async () => 'hunter2' })
    expect(code).toBe(2)
    expect(err).not.toContain('hunter2')
  })
})

it.runIf(process.platform === 'linux')(
  'an output that found no room is a failure, and said to be one',
  () => {
    const cli = join(import.meta.dirname, '..', 'decider.ts')
    const { status, stderr } = spawnSync(process.execPath, [cli, 'signing-keys', 'create'], {
      stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
      encoding: 'utf8',
    })
    expect(stderr).toContain('The output could not be written: ENOSPC.')
    expect(status).toBe(1)
  },
)
