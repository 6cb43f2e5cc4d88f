import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { HEADERS, SIGNATURE_WINDOW_MS } from '../protocol.ts'
import { KEYS, sign } from '../testing/scorer.ts'
import { createBodyMemory } from './body.ts'
import { type Flaw, readClaim } from './signature.ts'
import { readSigned } from './signed.ts'

const NOW = 1_000_000_000_000
const body = Buffer.from('{}')
const signed = (over: Parameters<typeof sign>[1] = {}) => sign(body, { at: NOW, tenant: 'a', ...over })
const read = (header: string | undefined) => readClaim(header, { route: '/score', tenant: 'a' }, KEYS, NOW)

it.each<[Flaw, string | undefined]>([
  ['missing', undefined],
  ['malformed', 'a key'],
  ['malformed', signed().slice(0, -1)],
  ['wrong_version', signed().replace(/^v\d+/, 'v10')],
  ['unknown_key', signed({ keyId: 'nobody' })],
  ['wrong_key', signed({ key: Buffer.alloc(32, 8) })],
  ['wrong_key', signed({ route: '/cache/clear' })],
  ['wrong_key', signed({ tenant: 'another' })],
  ['clock', signed({ at: NOW - SIGNATURE_WINDOW_MS - 1 })],
  ['clock', signed({ at: NOW + SIGNATURE_WINDOW_MS + 1 })],
])('a signature is refused for one reason, which is logged: %s', (flaw, header) => {
  expect(read(header)).toBe(flaw)
})

it('a signature is valid until its window ends, on either side', () => {
  for (const at of [NOW - SIGNATURE_WINDOW_MS, NOW + SIGNATURE_WINDOW_MS]) {
    expect(read(signed({ at }))).toHaveProperty('bodySha256')
  }
})

it('a body other than the one signed is refused for that reason, which is logged', async () => {
  const request = new IncomingMessage(new Socket())
  request.headers = { [HEADERS.signature]: signed(), [HEADERS.tenant]: 'a' }
  request.push('{ }')
  request.push(null)
  const flaws: Flaw[] = []
  const refusal = await readSigned('/score', request, new ServerResponse(request), {
    keys: KEYS,
    timeOfDay: () => NOW,
    bodies: createBodyMemory(100, 100),
    onRefusedSignature: flaw => flaws.push(flaw),
  })
  expect(refusal).toHaveProperty('error', 'bad_signature')
  expect(flaws).toEqual(['other_body'])
})
