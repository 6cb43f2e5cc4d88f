import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { threadMicroseconds } from './thread-time.ts'

export type WorkerdProcess = {
  url: string
  /** CPU time of the whole process so far, user and system. */
  cpuMicroseconds(): number
  residentMegabytes(): number
  stop(): void
}

type Options = {
  name: string
  port: number
  dir: string
  module: string
  bindings?: Record<string, string>
  /** Classes of Durable Objects with their bindings. */
  objects?: Record<string, string>
}

/** A Worker in its own workerd process, as in production except for Cloudflare's network. */
export const serve = async (options: Options): Promise<WorkerdProcess> => {
  const file = join(options.dir, `${options.name}.capnp`)
  await writeFile(file, configOf(options))
  const child = spawn(binary(), ['serve', '--experimental', file], { stdio: ['ignore', 'ignore', 'inherit'] })
  const url = `http://127.0.0.1:${options.port}`
  await listening(url, child)
  const pid = child.pid ?? 0
  return {
    url,
    cpuMicroseconds: () => cpuMicroseconds(pid),
    residentMegabytes: () => residentMegabytes(pid),
    stop: () => child.kill('SIGKILL'),
  }
}

const configOf = ({ name, port, dir, module, bindings = {}, objects = {} }: Options): string => {
  const texts = Object.entries(bindings).map(
    ([key, value]) => `(name = "${key}", text = ${JSON.stringify(value)})`,
  )
  const stubs = Object.entries(objects).map(
    ([key, type]) => `(name = "${key}", durableObjectNamespace = "${type}")`,
  )
  const namespaces = Object.values(objects).map(
    type => `(className = "${type}", uniqueKey = "${type}", enableSql = true)`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "${name}", worker = .worker),
    (name = "internet", network = (allow = ["public", "private", "local"])),
    (name = "disk", disk = (path = "${dir}", writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "${name}")],
);
const worker :Workerd.Worker = (
  modules = [(name = "${module}", esModule = embed "${module}")],
  compatibilityDate = "2026-10-20",
  bindings = [${[...texts, ...stubs].join(', ')}],
  durableObjectNamespaces = [${namespaces.join(', ')}],
  durableObjectStorage = (localDisk = "disk"),
);
`
}

const binary = (): string => {
  const require = createRequire(import.meta.url)
  return join(require.resolve('workerd/package.json'), '..', 'bin', 'workerd')
}

const listening = async (url: string, child: ChildProcess): Promise<void> => {
  for (let tries = 0; tries < 100; tries++) {
    if (child.exitCode !== null) throw new Error('workerd did not start')
    const answered = await fetch(url).then(
      () => true,
      () => false,
    )
    if (answered) return
    await pause(50)
  }
  throw new Error('workerd does not answer')
}

const cpuMicroseconds = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadMicroseconds(pid, thread), 0)

const residentMegabytes = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
