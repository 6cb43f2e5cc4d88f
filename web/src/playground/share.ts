// A link that carries the desk. Everything is in the fragment, which browsers do not send to any server.
import { MAX_BODY_BYTES } from '../../../src/http/body-limit.ts'
import { isObject, type Json } from '../../../src/json/json.ts'
import { readJson } from '../../../src/json/reader.ts'
import { textIn } from '../service/fields.ts'
import * as desk from './desk.ts'
import type { Example } from './examples/examples.ts'
import { writeRequest } from './request.ts'

/** Longer addresses are cut or refused on their way through mail and chat. */
const LINK_MAX = 100_000
const FRAGMENT = '#share='

/** The key is not part of it, and neither is a calibration profile. */
export const shareLink = async (): Promise<string> => {
  const written = writeRequest({ ...desk.asked(), calibration: '' })
  if (written.kind === 'mistake') throw new Error(written.message)
  const link = `${location.origin}/${FRAGMENT}${await packed(written.body)}`
  const opens = new Blob([written.body]).size <= MAX_BODY_BYTES
  if (!opens || link.length > LINK_MAX) throw new Error('This request is too long for a link.')
  return link
}

/** The fragment that was put on the desk last. */
let opened = ''

/**
 * Puts the request in the address on the desk, unless it was put there last: going to another page and back must not
 * undo later edits. An unreadable address leaves the desk as it is and shows a message.
 */
export const openSharedDesk = async (): Promise<void> => {
  const { hash } = location
  if (!hash.startsWith(FRAGMENT) || hash === opened) return
  opened = hash
  await desk.bring(sharedIn(hash), 'That link could not be read. Its end may be missing.')
}

const sharedIn = async (hash: string): Promise<Example> => {
  const reading = readJson(await unpacked(hash.slice(FRAGMENT.length)))
  if (reading.kind === 'refused' || !isObject(reading.value)) throw new Error('not a request')
  const request = reading.value
  return {
    title: '',
    shows: '',
    state: request.get('state') ?? '',
    questions: request.get('questions') ?? (new Map() satisfies Json),
    orderInvariant: request.get('order_invariant') === true,
    model: textIn(request, 'model'),
  }
}

const packed = async (text: string): Promise<string> => {
  const squeezed = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const bytes = new Uint8Array(await new Response(squeezed).arrayBuffer())
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

const unpacked = async (code: string): Promise<string> => {
  const binary = atob(code.replaceAll('-', '+').replaceAll('_', '/'))
  const bytes = Uint8Array.from(binary, character => character.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  // A link that unpacks to more than the service accepts was made to do harm.
  return textOf(stream, MAX_BODY_BYTES)
}

/** Not through a Response: in Firefox a stream cut short would then fail a second time, where nothing can catch it. */
const textOf = async (stream: ReadableStream<Uint8Array>, mostBytes: number): Promise<string> => {
  const reader = stream.getReader()
  const utf8 = new TextDecoder()
  let text = ''
  for (let seen = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) return text + utf8.decode()
    seen += value.byteLength
    if (seen > mostBytes) throw new Error('too large')
    text += utf8.decode(value, { stream: true })
  }
}
