import { globalAgent } from 'node:http'
import { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { describe, expect, it, vi } from 'vitest'
import { serverOf } from '../../src/testing/server.ts'
import { requestCalibration } from './upload.ts'

const silent = { sent: () => {}, waiting: () => {}, asked: () => {}, end: () => {} }
const post = (url: string, body: string) => requestCalibration({ url, key: 'a_key' }, body, silent)

/** A server that answers every request like this once all of it has arrived. */
const answering = (status: number, body = '', headers = {}) =>
  serverOf(async (request, response) => {
    await text(request)
    response.writeHead(status, headers).end(body)
  })

it('sends no more than a request can hold, counted in bytes', async () => {
  const url = await answering(401)
  await expect(post(url, 'x'.repeat(4_000_000))).resolves.toMatchObject({ kind: 'refused', status: 401 })
  await expect(post(url, `é${'x'.repeat(3_999_999)}`)).rejects.toThrow(
    'The examples take 4,000,001 bytes; a request can hold 4,000,000.',
  )
})

it('tells how much of it is sent, and then that it waits', async () => {
  const url = await answering(401)
  const told: (number | string)[] = []
  const progress = { ...silent, sent: (share: number) => told.push(share), waiting: () => told.push('waits') }
  await requestCalibration({ url, key: 'a_key' }, 'x'.repeat(2 * 65_536), progress)
  expect(told).toEqual([0, 0.5, 1, 'waits'])
})

it('does not tell more than the connection has taken', async () => {
  const stuck = new Duplex({ read: () => {}, write: () => {} })
  vi.spyOn(globalAgent, 'createConnection').mockReturnValueOnce(stuck)
  const told: number[] = []
  const progress = { ...silent, sent: (share: number) => told.push(share) }
  const body = 'x'.repeat(10 * 65_536)
  const posting = requestCalibration({ url: 'http://127.0.0.1:9', key: 'a_key' }, body, progress)
  setTimeout(() => stuck.destroy(new Error('cut off')), 100)
  await expect(posting).rejects.toThrow('cut off')
  expect(Math.max(...told)).toBeLessThan(0.5)
})

it('lets go of a connection on which it was refused before everything was sent', async () => {
  const stuck = new Duplex({ read: () => {}, write: () => {} })
  vi.spyOn(globalAgent, 'createConnection').mockReturnValueOnce(stuck)
  const posting = requestCalibration(
    { url: 'http://127.0.0.1:9', key: 'a_key' },
    'x'.repeat(4_000_000),
    silent,
  )
  stuck.push('HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\n{}')
  expect(await posting).toMatchObject({ kind: 'refused', status: 401 })
  expect(stuck.destroyed).toBe(true)
})

it('names the address that the one given refers to', async () => {
  const url = await answering(308, '', { location: '/elsewhere' })
  const message = `${url} refers to ${url}/elsewhere. If the service is there, give that address.`
  expect(await post(url, '{}')).toMatchObject({ kind: 'refused', status: 308, message })
})

it('sends JSON, and reads the answer as UTF-8', async () => {
  const url = await serverOf(async (request, response) => {
    const { authorization, 'content-type': type } = request.headers
    const message = `“${authorization}” sent ${await text(request)} as ${type}`
    response.writeHead(422).end(JSON.stringify({ error: { code: 'refused', message } }))
  })
  const message = '“Bearer a_key” sent {} as application/json'
  expect(await post(url, '{}')).toMatchObject({ kind: 'refused', message })
})

describe('a calibration whose answer is lost', () => {
  it.each(['{}', 'x'.repeat(1_000_000)])('may have been charged once all of it has arrived', async body => {
    const unanswered = await serverOf(async (request, response) => {
      await text(request)
      response.destroy()
    })
    await expect(post(unanswered, body)).rejects.toThrow(
      `The connection to ${unanswered} broke (socket hang up). The calibration may have been charged:`,
    )
    const brokenOff = await serverOf(async (request, response) => {
      await text(request)
      response.write('{"object":', () => response.destroy())
    })
    await expect(post(brokenOff, body)).rejects.toThrow(
      `The connection to ${brokenOff} broke (aborted). The calibration may have been charged:`,
    )
  })

  it('may have been charged, too, if a proxy gave up on the service', async () => {
    const url = await answering(504, '<html>')
    await expect(post(url, '{}')).rejects.toThrow(
      `${url} answered 504 in place of the service. The calibration may have been charged:`,
    )
  })

  it('is not said to have been charged if the service itself could not do it', async () => {
    const url = await answering(503, '{"error": {"code": "engine_timeout", "message": "m"}}')
    expect(await post(url, '{}')).toMatchObject({ kind: 'refused', code: 'engine_timeout' })
  })

  it('is not said to have been charged where not all of it was sent', async () => {
    for (const nowhere of ['http://127.0.0.1:9', 'https://127.0.0.1:9'])
      await expect(post(nowhere, '{}')).rejects.toThrow(`${nowhere} did not answer: connect`)
    // Of a server that hangs up, the kernel may have taken the whole body first.
    const cutOff = new Duplex({ read: () => {}, write: (_, __, done) => done(new Error('cut off')) })
    vi.spyOn(globalAgent, 'createConnection').mockReturnValueOnce(cutOff)
    await expect(post('http://127.0.0.1:9', 'x'.repeat(4_000_000))).rejects.toThrow(
      'http://127.0.0.1:9 did not answer: cut off',
    )
  })
})
