import { describe, expect, it } from 'vitest'
import { EngineFault } from './backend/engine-fault.ts'
import { createLog, describeFault } from './log.ts'

const failHere = (message: string): Error => new TypeError(message)

describe('the log', () => {
  it('writes a line of JSON per event', () => {
    const lines: string[] = []
    createLog(
      line => lines.push(line),
      () => 0,
    ).event('listening', { port: 1 })
    expect(lines).toEqual(['{"time":"1970-01-01T00:00:00.000Z","event":"listening","port":1}\n'])
  })
})

describe('the description of a fault', () => {
  it('has its class and the functions it came through', () => {
    const { name, frames } = describeFault(failHere('no'))
    expect(name).toBe('TypeError')
    expect(frames).toMatch(/^failHere( < |$)/)
  })

  it('never holds its message, even one that looks like a stack', () => {
    const secret = 'xyzzy'
    const told = describeFault(
      failHere(`${secret}\n    at ${secret} (file.ts:1:1)\n    at async ${secret} (x)`),
    )
    expect(JSON.stringify(told)).not.toContain(secret)
    expect(told.frames).toContain('failHere')
    expect(describeFault(secret)).toEqual({ name: 'string', frames: '' })
  })

  it('of the engine names the snapshot and the kind of step instead', () => {
    const facts = { what: 'a run failed', snapshot: 'a snapshot', step: 'state' } as const
    expect(describeFault(new EngineFault(facts))).toEqual({ name: 'EngineFault', ...facts })
  })

  it('is only the class if the message was changed after the stack was taken', () => {
    const fault = failHere('xyzzy\n    at xyzzy (x)')
    expect(fault.stack).toContain('xyzzy')
    fault.message = 'changed'
    expect(describeFault(fault)).toEqual({ name: 'TypeError', frames: '' })
  })
})
