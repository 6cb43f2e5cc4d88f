import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { freePort } from '../../scripts/service/ports.ts'

export type RedisServer = { port: number; stop(): Promise<void> }

export const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0

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
