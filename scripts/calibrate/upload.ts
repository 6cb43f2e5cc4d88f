import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { CalibrationResponse } from '../../src/calibration/wire.ts'
import { MAX_BODY_BYTES } from '../../src/http/body-limit.ts'
import { noAnswer, referral } from '../service-url.ts'
import { NO_ANSWER, type Received, type Refused, readAnswer } from './answer.ts'
import type { Progress } from './progress.ts'

type Outcome = { kind: 'fitted'; calibration: CalibrationResponse; seconds: number } | Refused

const SLICE_BYTES = 65_536

/**
 * Posts a calibration and waits for its answer, however long thousands of examples take. It does not use `fetch`, which
 * neither reports how much of a body is sent nor waits longer than five minutes for an answer.
 */
export const requestCalibration = async (
  { url, key }: { url: string; key: string },
  text: string,
  progress: Progress,
): Promise<Outcome> => {
  const body = Buffer.from(text)
  // A server that refuses a large body may close before it is all sent, and its answer is then lost.
  if (body.length > MAX_BODY_BYTES)
    throw new Error(
      `The examples take ${written(body.length)} bytes; a request can hold ${written(MAX_BODY_BYTES)}.`,
    )
  const start = performance.now()
  const target = new URL(`${url}/v1/calibrations`)
  const open = target.protocol === 'https:' ? httpsRequest : httpRequest
  const call = open(target, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': body.length,
    },
  })
  const answered = answerTo(call, target)
  await Promise.race([send(call, body, progress), answered])
  // What refuses before it has read everything may leave the connection open, and the program would not end.
  const outcome = readAnswer(await answered.finally(() => call.destroy()), CalibrationResponse)
  // A proxy that gave up on the service did not stop it.
  if (outcome.kind === 'refused' && outcome.code === NO_ANSWER && outcome.status >= 500)
    throw new Error(`${target.origin} answered ${outcome.status} in place of the service. ${IN_DOUBT}`)
  if (outcome.kind === 'refused') return outcome
  return { kind: 'fitted', calibration: outcome.answer, seconds: (performance.now() - start) / 1_000 }
}

const written = (bytes: number): string => bytes.toLocaleString('en')

const send = async (call: ClientRequest, body: Buffer, progress: Progress): Promise<void> => {
  for (let at = 0; at < body.length; at += SLICE_BYTES) {
    progress.sent(at / body.length)
    const flushed = call.write(body.subarray(at, at + SLICE_BYTES))
    if (!flushed) await new Promise<void>(resolve => call.once('drain', resolve))
  }
  progress.sent(1)
  call.end()
  progress.waiting()
}

const answerTo = async (call: ClientRequest, target: URL): Promise<Received> => {
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      call.once('response', resolve)
      call.on('error', reject)
    })
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    const { statusCode: status = 0, headers } = response
    return {
      status,
      text: Buffer.concat(chunks).toString('utf8'),
      referred: referral(target, status, headers.location ?? null),
    }
  } catch (error) {
    const { message } = Object(error)
    throw new Error(call.writableFinished ? lost(target, message) : noAnswer(target, message))
  }
}

/** What to say if the connection breaks once everything is sent: work that was begun is charged all the same. */
const lost = ({ origin }: URL, why: string): string =>
  `The connection to ${origin} broke (${why}). ${IN_DOUBT}`

const IN_DOUBT = 'The calibration may have been charged: look at the balance before you repeat it.'
