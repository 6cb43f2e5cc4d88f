// The only lines this service writes: events of its own life, and faults. Never a request or an error's message, because
// messages quote what they were given. (Why a start failed, before any request, goes to stderr as it came.)

import { EngineFault } from './backend/engine-fault.ts'

type Facts = Readonly<Record<string, string | number | boolean>>

export type Log = { event(name: string, facts?: Facts): void }

export const createLog = (write: (line: string) => void, now: () => number): Log => ({
  event(name, facts = {}) {
    write(`${JSON.stringify({ time: new Date(now()).toISOString(), event: name, ...facts })}\n`)
  },
})

const MAX_FRAMES = 8
const FRAME = /^ {4}at (?:async )?(?:new )?([\w$.#<>[\] ]+?) \(/

/** What may be logged of a fault: its facts if it is the engine's, else its class and the functions it came through. */
export const describeFault = (fault: unknown): Facts => {
  if (fault instanceof EngineFault) return { name: fault.name, ...fault.facts }
  if (!(fault instanceof Error)) return { name: typeof fault, frames: '' }
  // A stack begins with the message, which may itself contain lines that look like frames: cut it off by its length.
  const stack = fault.stack ?? ''
  const at = stack.indexOf(fault.message)
  const trace = at < 0 ? '' : stack.slice(at + fault.message.length)
  const frames = trace.split('\n').flatMap(line => FRAME.exec(line)?.[1] ?? [])
  return { name: fault.constructor.name, frames: frames.slice(0, MAX_FRAMES).join(' < ') }
}
