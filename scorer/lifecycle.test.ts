import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { MODELS_FOLDER } from './testing/snapshot.ts'

const at = (path: string) => JSON.stringify(join(import.meta.dirname, path))

/** A process that runs the given script. */
const start = async (work: string, more: NodeJS.ProcessEnv = {}) => {
  const script = `
    import { createServer } from 'node:http'
    import { openEngine, patient } from ${at('testing/engine.ts')}
    import { endOnFault, forbidReports, stopOnSignal } from ${at('lifecycle.ts')}
    const log = { event: name => process.stdout.write(name + '\\n') }
    ${work}`
  const folder = await mkdtemp(join(tmpdir(), 'scorer-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'main.mjs')
  await writeFile(file, script)
  const env = { PATH: process.env.PATH, HOME: folder, SCORER_MODELS: MODELS_FOLDER, ...more }
  const child = spawn(process.execPath, [file], { env })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, output }))
  return { child, folder, ended }
}

/** The same, with an engine. */
const withEngine = async (work: string) => {
  const { folder, ended } = await start(`
    const engine = await openEngine({ workers: 2 })
    ${work}`)
  const end = await ended
  // onnxruntime would first store what it reports to its maker in the home folder.
  expect(await readdir(folder)).toEqual(['main.mjs'])
  return end
}

/** A process that executes `leave` while its engine is inside a run. */
const inMidRun = (leave: string) =>
  withEngine(`
    engine.encodeState(new Int32Array(60_000).fill(2_000), patient).catch(() => {})
    setTimeout(() => { ${leave} }, 1_000)`)

/** A process with this server, which stops on a signal. Its next line is its port. */
const serving = async (server: string) => {
  const { child, ended } = await start(`
    const server = ${server}
    stopOnSignal({ server, drain: async () => {}, close: async () => {}, drainMs: 0, log })
    server.listen(0, () => log.event(String(server.address().port)))`)
  const line = async (): Promise<string> => (await once(child.stdout, 'data'))[0]
  const port = Number(await line())
  /** Expects it to end at once: it waits up to five seconds for what it owes. */
  const ends = async () => {
    const start = performance.now()
    expect(await ended).toMatchObject({ code: 0, signal: null })
    expect(performance.now() - start).toBeLessThan(4_000)
  }
  return { child, line, port, ends }
}

it('a failed run is reported to its caller and nowhere else', async () => {
  const work = `
    const failing = engine.encodeState(new Int32Array(200).fill(99_999), patient)
    log.event(await failing.then(() => 'done', () => 'failed'))
    await engine.close()
    process.exit(0)`
  expect(await withEngine(work)).toEqual({ code: 0, signal: null, output: 'failed\n' })
})

it('a fault in the middle of a run is logged and ends the process without a core dump', async () => {
  expect(await inMidRun(`endOnFault(log)(new Error('x'))`)).toEqual({
    code: null,
    signal: 'SIGKILL',
    output: 'fatal\n',
  })
})

it.each([
  ['an exception', 'setImmediate(() => { throw fault })'],
  ['a rejection', 'Promise.reject(fault)'],
])('%s that nobody catches ends the process, and its message is written nowhere', async (_, raise) => {
  const { ended } = await start(`
    endOnFault(log)
    const fault = new Error('a text of a request')
    ${raise}
    setInterval(() => {}, 1_000)`)
  expect(await ended).toEqual({ code: null, signal: 'SIGKILL', output: 'fatal\n' })
})

it('Node writes no report, which would hold the environment, even if it is told to', async () => {
  const { ended } = await start(
    `forbidReports()
    const { reportOnFatalError, reportOnUncaughtException, reportOnSignal } = process.report
    log.event(String([reportOnFatalError, reportOnUncaughtException, reportOnSignal]))`,
    { NODE_OPTIONS: '--report-on-fatalerror --report-uncaught-exception --report-on-signal' },
  )
  expect((await ended).output).toBe('false,false,false\n')
})

it('a run still going when the process must exit is abandoned, also without a core dump', async () => {
  const leave = `
    const never = () => new Promise(() => {})
    stopOnSignal({ server: createServer(), drain: async () => {}, close: never, drainMs: 0, log })
    process.kill(process.pid, 'SIGTERM')`
  expect(await inMidRun(leave)).toEqual({ code: null, signal: 'SIGKILL', output: 'draining\nstopped\n' })
})

it('an answer being sent when the process must exit is sent in full', async () => {
  const size = 64_000_000
  const { child, line, port, ends } = await serving(
    `createServer((_, response) => response.end(Buffer.alloc(${size})))`,
  )
  const [response] = (await once(get({ port }), 'response')) as [IncomingMessage]
  child.kill('SIGTERM')
  expect(await line()).toBe('draining\n')
  let read = 0
  for await (const chunk of response) read += chunk.length
  expect(read).toBe(size)
  await ends()
})

it('an upload that ends while the process stops is the last on its connection, and does not hold up the exit', async () => {
  const { child, line, port, ends } = await serving(
    `createServer((request, response) => request.resume().once('end', () => response.end('late')))`,
  )
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const upload = request({ port, method: 'POST', agent, headers: { Expect: '100-continue' } })
  upload.flushHeaders()
  await once(upload, 'continue')
  child.kill('SIGTERM')
  expect(await line()).toBe('draining\n')
  upload.end('the rest')
  const [response] = (await once(upload, 'response')) as [IncomingMessage]
  expect([await text(response), response.headers.connection]).toEqual(['late', 'close'])
  await ends()
})

it('a request that was answered long ago does not hold up the exit', async () => {
  const { child, port, ends } = await serving(`createServer((_, response) => response.end('answered'))`)
  const agent = new Agent({ keepAlive: true })
  onTestFinished(() => agent.destroy())
  const [response] = (await once(get({ port, agent }), 'response')) as [IncomingMessage]
  expect(await text(response)).toBe('answered')
  child.kill('SIGTERM')
  await ends()
})

it('a connection that has not sent a request yet does not hold up the exit', async () => {
  const { child, line, port, ends } = await serving(
    `createServer().once('connection', () => log.event('connected'))`,
  )
  const socket = connect(port)
  onTestFinished(() => void socket.destroy())
  expect(await line()).toBe('connected\n')
  child.kill('SIGTERM')
  await ends()
})
