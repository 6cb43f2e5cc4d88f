import type { ServerResponse } from 'node:http'
import { REFUSALS, type Refusal } from '../protocol.ts'

export const replyJson = (response: ServerResponse, status: number, value: unknown): void => {
  reply(response, status, 'application/json', JSON.stringify(value))
}

export const replyText = (response: ServerResponse, text: string): void => {
  reply(response, 200, 'text/plain; version=0.0.4; charset=utf-8', text)
}

export const replyRefusal = (response: ServerResponse, refusal: Refusal): void => {
  const status = REFUSALS[refusal.error]
  if (status === 503) response.setHeader('Retry-After', '1')
  replyJson(response, status, refusal)
}

const reply = (response: ServerResponse, status: number, type: string, text: string): void => {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
  })
  response.end(text)
}
