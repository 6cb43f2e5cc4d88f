import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../../scripts/service/ports.ts'
import { hasProgram } from '../program.ts'

export type RedisServer = { port: number; stop(): Promise<void> }

export const hasRedisServer = hasProgram('redis-server')

/** A separate stock redis-server, in memory, that ends with the test. */
export const startRedisServer = async (): Promise<RedisServer> => {
  const port = await freePort()
  const process = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  for await (const line of process.stdout) if (String(line).includes('Ready to accept connections')) break
  process.stdout.resume()
  const stop = async (): Promise<void> => {
    if (process.exitCode !== null || process.signalCode !== null) return
    process.kill('SIGKILL')
    await once(process, 'exit')
  }
  return { port, stop }
}
