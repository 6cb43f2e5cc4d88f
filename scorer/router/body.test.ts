import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { serverOf } from '../../src/testing/server.ts'
import { HEADERS } from '../protocol.ts'
import { KEYS, sign } from '../testing/scorer.ts'
import { createBodyMemory, readBody } from './body.ts'
import { readSigned } from './signed.ts'

/** Sends a body over HTTP and returns what `read` makes of it. */
const receive = async <T>(
  body: Uint8Array<ArrayBuffer>,
  read: (request: IncomingMessage, response: ServerResponse) => Promise<T>,
  headers: Record<string, string> = {},
): Promise<T> => {
  const { promise, resolve } = Promise.withResolvers<T>()
  const url = await serverOf(async (request, response) => {
    resolve(await read(request, response))
    response.end()
  })
  // Streamed, so that no header announces its size.
  const streamed = { body: new Blob([body]).stream(), duplex: 'half' } as RequestInit
  await fetch(url, { method: 'POST', headers, ...streamed })
  return promise
}
const body = new Uint8Array(200_000).map((_, at) => at % 251)

describe('a body', () => {
  it('is read whole and holds memory until that is given back', async () => {
    const memory = createBodyMemory(250_000, 250_000)('a')
    expect(await receive(body, request => readBody(request, 200_000, memory))).toEqual(body)
    expect(memory.take(50_001)).toBe(false)
    memory.give(body.byteLength)
    expect(memory.take(250_000)).toBe(true)
  })

  it('over the cap is refused and holds no memory', async () => {
    const memory = createBodyMemory(250_000, 250_000)('a')
    expect(await receive(body, request => readBody(request, 199_999, memory))).toBe('too_large')
    expect(memory.take(250_000)).toBe(true)
  })

  it.each([true, false])(
    'holds memory until its request is answered (correctly signed: %s)',
    async isGood => {
      const memory = createBodyMemory(250_000, 250_000)('')
      const signature = sign(isGood ? body : body.subarray(1))
      const answered = Promise.withResolvers<void>()
      const signed = await receive(
        body,
        (request, response) => {
          response.once('close', () => answered.resolve())
          return readSigned('/score', request, response, {
            keys: KEYS,
            timeOfDay: Date.now,
            bodies: () => memory,
            onRefusedSignature: () => {},
          }).finally(() => {
            expect(memory.take(50_001)).toBe(false)
          })
        },
        { [HEADERS.signature]: signature },
      )
      expect(signed instanceof Uint8Array).toBe(isGood)
      await answered.promise
      expect(memory.take(250_000)).toBe(true)
    },
  )

  it('gives its memory back if its caller left just as it arrived', async () => {
    const memory = createBodyMemory(250_000, 250_000)('')
    const headers = { [HEADERS.signature]: sign(body) }
    const request = Object.assign(Readable.from([Buffer.from(body)]), { headers })
    await readSigned('/score', request as unknown as IncomingMessage, { closed: true } as ServerResponse, {
      keys: KEYS,
      timeOfDay: Date.now,
      bodies: () => memory,
      onRefusedSignature: () => {},
    })
    expect(memory.take(250_000)).toBe(true)
  })

  it('for which there is no memory is refused and holds none', async () => {
    const memory = createBodyMemory(250_000, 250_000)('a')
    memory.take(100_000)
    expect(await receive(body, request => readBody(request, 200_000, memory))).toBe('full')
    expect(memory.take(150_000)).toBe(true)
  })

  it('for which the system has no memory holds none, either', async () => {
    const memory = createBodyMemory(250_000, 250_000)('a')
    const request = Object.assign(Readable.from([Buffer.from(body)]), { headers: {} })
    onTestFinished(() => void vi.unstubAllGlobals())
    vi.stubGlobal('Uint8Array', function refused() {
      throw new RangeError('Array buffer allocation failed')
    })
    await expect(readBody(request as unknown as IncomingMessage, 200_000, memory)).rejects.toThrow(RangeError)
    expect(memory.take(250_000)).toBe(true)
  })

  it('finds memory that another tenant may not take, but no more than there is', async () => {
    const memory = createBodyMemory(400_000, 300_000)
    expect(memory('flood').take(150_000)).toBe(true)
    expect(await receive(body, request => readBody(request, 200_000, memory('flood')))).toBe('full')
    expect(memory('flood').take(150_001)).toBe(false)
    expect(memory('other').take(250_001)).toBe(false)
    expect(memory('other').take(250_000)).toBe(true)
    memory('other').give(250_000)
    memory('flood').give(150_000)
    expect(await receive(body, request => readBody(request, 200_000, memory('flood')))).toEqual(body)
  })

  it('that is refused halfway does not hold up the next request on its connection', async () => {
    const memory = createBodyMemory(body.byteLength, body.byteLength)('a')
    const large = 20 * body.byteLength
    const url = await serverOf(async (request, response) => {
      const read = await readBody(request, 2 * large, memory)
      response.end(typeof read === 'string' ? read : 'read')
    })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let answers = ''
    const both = new Promise<void>(resolve => {
      socket.on('data', data => {
        answers += data
        if (/full.*read$/s.test(answers)) resolve()
      })
    })
    socket.write(`POST / HTTP/1.1\r\nHost: scorer\r\nContent-Length: ${large + 1}\r\n\r\n`)
    socket.write(Buffer.alloc(large))
    await once(socket, 'data')
    socket.write('.POST / HTTP/1.1\r\nHost: scorer\r\nContent-Length: 1\r\n\r\n.')
    await both
  })
})
