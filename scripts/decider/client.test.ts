import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { nothingHere } from '../../src/http/nothing-here.ts'
import { serverOf } from '../../src/testing/server.ts'
import { newFolder } from '../../test/folder.ts'
import { decider, PROGRAM, serviceAnswering, shortenTimeLimits } from './testing.ts'

/** The data folder of a service, whose secrets cannot be read. */
const damagedSecrets = async (): Promise<string> => {
  const folder = await newFolder()
  await writeFile(join(folder, 'secrets.json'), '{"ADMIN_SECRET": hunter2}')
  return folder
}

/** What is said where `fetch` fails for such a cause. */
const saidOf = async (cause: object): Promise<string> => {
  vi.spyOn(globalThis, 'fetch').mockRejectedValueOnce(new TypeError('fetch failed', { cause }))
  const env = { DECIDER_URL: 'https://api.example.com', DECIDER_ADMIN_SECRET: 's' }
  return (await decider(['accounts', 'verify', 'acct_1'], { env })).err
}

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

  it('cannot steer the terminal', async () => {
    const steering = { error: { code: 'no\u202e', message: '\u001b]0;title\u0007\u001b[31m' } }
    const { env } = await serviceAnswering(422, steering)
    const { err } = await decider(['accounts', 'list'], { env })
    expect(err).toBe('\uFFFD]0;title\uFFFD\uFFFD[31m (no\uFFFD)\n')
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
      expect((await decider(['accounts', 'list'], { env })).err).toBe(
        `${env.DECIDER_URL} answered 502 in place of the service.\n`,
      )
    })
  })

  it.each([[[]], [['--json']]])(
    'for want of a service says where none was, with options %o',
    async options => {
      const env = { DECIDER_URL: 'http://127.0.0.1:9', DECIDER_ADMIN_SECRET: 's' }
      const { code, err } = await decider(['accounts', 'list', ...options], { env })
      expect(code).toBe(1)
      expect(err).toContain('http://127.0.0.1:9 does not answer')
    },
  )

  it('for a name that nobody has says where none was, too', async () => {
    const env = { DECIDER_URL: 'http://nobody.invalid', DECIDER_ADMIN_SECRET: 's' }
    const { code, err } = await decider(['accounts', 'verify', 'acct_1'], { env })
    expect(code).toBe(1)
    expect(err).toBe('http://nobody.invalid does not answer. Is the service running there?\n')
  })

  it('for an address that speaks no TLS, which nothing was sent to, leaves nothing open', async () => {
    const DECIDER_URL = (await serverOf(() => {})).replace('http:', 'https:')
    const env = { DECIDER_URL, DECIDER_ADMIN_SECRET: 's' }
    const { code, err } = await decider(['accounts', 'verify', 'acct_1'], { env })
    expect({ code, err }).toEqual({
      code: 1,
      err: `${DECIDER_URL} offers no secure connection (wrong version number).\n`,
    })
  })

  it.each([
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
    ['CERT_HAS_EXPIRED', 'certificate has expired'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', "Host: b. is not in the cert's altnames: DNS:a"],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unable to verify the first certificate'],
  ])(
    'for a certificate that cannot be trusted says why, and leaves nothing open: %s',
    async (code, message) => {
      expect(await saidOf({ code, message })).toBe(
        `https://api.example.com offers no secure connection (${message}).\n`,
      )
    },
  )

  it('for an address that leads nowhere says where none was', async () => {
    const cause = { code: 'UND_ERR_CONNECT_TIMEOUT', message: 'Connect Timeout Error' }
    expect(await saidOf(cause)).toBe(
      'https://api.example.com does not answer. Is the service running there?\n',
    )
  })

  it('for a name none of whose addresses lets anybody in says where none was', async () => {
    // What Node makes of a name with several addresses, the first of which leads nowhere.
    const each = ['ETIMEDOUT', 'ECONNREFUSED'].map(code => ({
      code,
      syscall: 'connect',
      message: `connect ${code}`,
    }))
    const cause = Object.assign(new AggregateError(each), { code: 'ETIMEDOUT' })
    expect(await saidOf(cause)).toBe(
      'https://api.example.com does not answer. Is the service running there?\n',
    )
  })

  describe('for want of an answer to a request that may have arrived', () => {
    const IN_DOUBT = 'The command may have been carried out: look before you repeat it.\n'
    const send = (DECIDER_URL: string, command = ['accounts', 'verify', 'acct_1']) =>
      decider(command, { env: { DECIDER_URL, DECIDER_ADMIN_SECRET: 's' } })

    it('leaves open what a command did whose connection broke', async () => {
      const url = await serverOf(({ socket }) => socket.resetAndDestroy())
      const { code, err } = await send(url)
      expect({ code, err }).toEqual({
        code: 1,
        err: `The connection to ${url} broke (read ECONNRESET). ${IN_DOUBT}`,
      })
    })

    it('leaves it open, too, if the time is over', async () => {
      const url = await serverOf(() => {})
      shortenTimeLimits()
      const { code, err } = await send(url)
      expect({ code, err }).toEqual({ code: 1, err: `${url} did not answer within 30 s. ${IN_DOUBT}` })
    })

    it('leaves it open, too, if a proxy gave up on the service', async () => {
      const { env } = await serviceAnswering(504, '<html>', null)
      expect((await decider(['accounts', 'create'], { env })).err).toBe(
        `${env.DECIDER_URL} answered 504 in place of the service. ${IN_DOUBT}`,
      )
    })

    it('says of what refused it on the way that nothing came to the service', async () => {
      const { env } = await serviceAnswering(403, 'error code: 1010', null)
      expect((await decider(['accounts', 'create'], { env })).err).toBe(
        `${env.DECIDER_URL} answered 403 in place of the service.\n`,
      )
    })

    it('says nothing of Ctrl-C once the answer is there', async () => {
      const listeners = process.listenerCount('SIGINT')
      const { env } = await serviceAnswering(200, {})
      await decider(['accounts', 'rename', 'acct_1', 'x', '--json'], { env })
      expect(process.listenerCount('SIGINT')).toBe(listeners)
    })

    it('leaves Ctrl-C to a program that listens for it itself, as npm run dev does', async () => {
      const heard = vi.fn()
      process.on('SIGINT', heard)
      onTestFinished(() => void process.off('SIGINT', heard))
      const said = vi.spyOn(console, 'error').mockReturnValue()
      const arrived = Promise.withResolvers<ServerResponse>()
      const DECIDER_URL = await serverOf((_, response) => arrived.resolve(response))
      const sending = decider(['accounts', 'verify', 'acct_1'], {
        env: { DECIDER_URL, DECIDER_ADMIN_SECRET: 's' },
      })
      const response = await arrived.promise
      process.emit('SIGINT')
      expect(heard).toHaveBeenCalledOnce()
      expect(said).not.toHaveBeenCalled()
      response.destroy()
      await sending
    })

    it.each([
      ['says so of a command that Ctrl-C ends', ['accounts', 'verify', 'acct_1'], `Interrupted. ${IN_DOUBT}`],
      ['says nothing of one that only reads', ['accounts', 'list'], ''],
    ])('%s', async (_, command, said) => {
      const arrived = Promise.withResolvers<void>()
      const DECIDER_URL = await serverOf(() => arrived.resolve())
      const child = spawn(process.execPath, [PROGRAM, ...command], {
        env: { DECIDER_URL, DECIDER_ADMIN_SECRET: 's' },
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      const ended = once(child, 'close')
      await arrived.promise
      child.kill('SIGINT')
      expect(await text(child.stderr)).toBe(said)
      expect(await ended).toEqual([null, 'SIGINT'])
    })

    it('leaves nothing open if the command only reads', async () => {
      const { err } = await send(await serverOf(({ socket }) => socket.destroy()), ['accounts', 'list'])
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

  it('by what refers to another address names it, and asks nothing there', async () => {
    const { asked, env } = await serviceAnswering(401, {})
    const DECIDER_URL = await serverOf((_, response) =>
      response.writeHead(301, { location: `${env.DECIDER_URL}/elsewhere?state=s` }).end(),
    )
    const terminal = { env: { ...env, DECIDER_URL } }
    for (const command of ['accounts list', 'accounts create']) {
      const { code, err } = await decider(command.split(' '), terminal)
      expect({ code, err }).toEqual({
        code: 1,
        err: `${DECIDER_URL} refers to ${env.DECIDER_URL}/elsewhere. If the service is there, give that address.\n`,
      })
    }
    const doctor = await decider(['doctor'], terminal)
    expect(doctor.out).toMatch(/FAIL +edge +answered 301 instead of 401/)
    expect(doctor.out).toMatch(/FAIL +admin API +.+ refers to /)
    expect(asked).toEqual([])
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

  it('is read, too, if DECIDER_ADMIN_SECRET is set to nothing, as a secret that a shell did not find is', async () => {
    const env = { DATA_DIR: await damagedSecrets(), DECIDER_ADMIN_SECRET: '' }
    expect((await decider(['accounts', 'list'], { env })).err).toContain('is damaged')
  })

  it('is looked for in the folder .decider unless told otherwise', async () => {
    const folder = await damagedSecrets()
    await mkdir(join(folder, '.decider'))
    await rename(join(folder, 'secrets.json'), join(folder, '.decider', 'secrets.json'))
    const { stderr } = spawnSync(process.execPath, [PROGRAM, 'accounts', 'list'], { cwd: folder, env: {} })
    expect(String(stderr)).toContain(`${join('.decider', 'secrets.json')} is damaged`)
  })
})
