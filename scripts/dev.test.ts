import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newFolder } from '../test/folder.ts'
import { hasProgram } from '../test/program.ts'
import { connect } from './decider/client.ts'
import { ROOT } from './root.ts'
import { freePort } from './service/ports.ts'
import { startProxy } from './service/testing.ts'

const DEV = join(import.meta.dirname, 'dev.ts')

const hasCurl = hasProgram('curl')
const hasPs = hasProgram('ps')

let dataDir: string
let edgePort: number
let scorerPort: number
let started: ChildProcess[] = []

beforeEach(async () => {
  dataDir = await newFolder()
  edgePort = await freePort()
  scorerPort = await freePort()
})
afterEach(async () => {
  // A test that fails halfway leaves nothing running.
  const running = started.filter(child => child.exitCode === null && child.signalCode === null)
  await Promise.all(
    running.map(child => new Promise(resolve => child.once('close', resolve) && child.kill('SIGTERM'))),
  )
  started = []
})

describe('npm run dev', () => {
  it('prints a curl line that works, keeps its keys across a restart and stops cleanly', async test => {
    test.skip(!hasCurl || !hasPs)
    // A shell's variables for a deployment must not reach the local scorer, or the local Worker, where wrangler would
    // prefer them. Nor may it keep wrangler from reading the Worker's own.
    const ofADeployment = {
      SCORER_HOST: '192.0.2.1',
      SCORER_SECRET: 'theirs:AAAA',
      CLOUDFLARE_ENV: 'production',
      CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: 'false',
      ADMIN_SECRET: 'theirs',
      STRIPE_SECRET_KEY: 'sk_test',
    }
    await chmod(dataDir, 0o755)
    const first = dev({ ...ofADeployment, MODEL_ALIASES: '{"my-default":"decider-1"}' })
    const welcome = await first.printed(/Ctrl-C stops/)
    const line = welcome.split('\n').find(text => text.startsWith('curl '))
    const answer = await shell(line ?? 'false')
    expect(JSON.parse(answer)).toMatchObject({
      object: 'altdecisions.response',
      answers: { team: { type: 'choice' } },
    })
    // A model that only the shell names.
    expect(await shell((line ?? 'false').replace('{"state"', '{"model":"my-default","state"'))).toContain(
      '"answers"',
    )
    // Wrangler's own page for the Durable Objects, which asks for no key.
    const objects = `http://127.0.0.1:${edgePort}/cdn-cgi/local/explorer/api/workers/durable_objects/namespaces`
    expect((await fetch(objects)).status).toBe(404)
    // The inspector and the registry of Workers would open ports without authentication: one exposes all of the
    // Worker's memory, the other calls its objects.
    const workerd = (await startedBy(first.pid)).filter(({ command }) => command.includes('workerd serve'))
    expect(workerd).not.toEqual([])
    expect(workerd.map(({ command }) => command).join()).not.toMatch(/inspector|debug/)
    await spendAll()
    await expect.poll(() => shell(line ?? 'false'), { timeout: 10_000 }).toContain('"answers"')
    const beside = dev({ EDGE_PORT: String(await freePort()), SCORER_PORT: String(await freePort()) })
    expect(await beside.code).toBe(1)
    expect(beside.output()).toMatch(/DATA_DIR is in use by process \d+/)
    first.signal('SIGINT')
    expect(await first.code).toBe(0)
    expect(await reachable(edgePort)).toBe(false)
    expect(await reachable(scorerPort)).toBe(false)

    expect(await readdir(dataDir)).not.toContain('lock')
    for (const name of await readdir(dataDir))
      expect.soft((await stat(join(dataDir, name))).mode & 0o077, name).toBe(0)

    // As a script would stop it: the signal goes to npm alone.
    const second = dev({}, 'npm', ['run', '-s', 'dev'])
    const again = await second.printed(/Ctrl-C stops/)
    expect(keysIn(again)).toEqual(keysIn(welcome))
    expect(keysIn(again)).toHaveLength(3)
    second.signal('SIGTERM')
    await expect.poll(() => reachable(edgePort), { timeout: 10_000 }).toBe(false)
    await expect.poll(() => reachable(scorerPort), { timeout: 10_000 }).toBe(false)
    await second.code
  }, 180_000)

  it('leaves nothing running when killed, resumes with the same keys, makes new ones without its state, or says why it cannot', async test => {
    test.skip(!hasCurl)
    const first = dev()
    const welcome = await first.printed(/Ctrl-C stops/)
    first.signal('SIGKILL')
    await first.code
    await expect.poll(() => reachable(edgePort), { timeout: 10_000 }).toBe(false)
    await expect.poll(() => reachable(scorerPort), { timeout: 10_000 }).toBe(false)

    const second = dev()
    expect(keysIn(await second.printed(/Ctrl-C stops/))).toEqual(keysIn(welcome))
    second.signal('SIGTERM')
    expect(await second.code).toBe(0)

    await rm(join(dataDir, 'state'), { recursive: true })
    const third = dev()
    const line = (await third.printed(/Ctrl-C stops/)).split('\n').find(text => text.startsWith('curl '))
    expect(JSON.parse(await shell(line ?? 'false'))).toHaveProperty('answers')
    third.signal('SIGTERM')
    expect(await third.code).toBe(0)

    await rm(join(dataDir, 'demo.json'))
    const directory = join(dataDir, 'state/v3/do/decider-Directory')
    const files = (await readdir(directory)).filter(file => !file.startsWith('metadata'))
    for (const file of files) await writeFile(join(directory, file), 'no database')
    const fourth = dev()
    expect(await fourth.code).toBe(1)
    expect(fourth.output()).toMatch(/^The demo account could not be made \(.+\)\.$/m)
    expect(fourth.output()).toContain('file is not a database')
  }, 240_000)

  it('survives the death of the Worker’s runtime, but ends and says why after that of the process with the port', async test => {
    test.skip(!hasPs)
    const run = dev()
    await run.printed(/Ctrl-C stops/)
    const kill = async (address: string) => {
      const all = await startedBy(run.pid)
      const one = all.find(({ command }) => command.includes(`--socket-addr=entry=${address} `))
      process.kill(one?.own ?? Number.NaN, 'SIGKILL')
    }
    const isHealthy = () => fetch(`http://127.0.0.1:${edgePort}/healthz`).then(answer => answer.ok)
    await kill('127.0.0.1:0')
    await run.printed(/crashed unexpectedly/)
    await expect.poll(isHealthy, { timeout: 15_000 }).toBe(true)

    await kill(`127.0.0.1:${edgePort}`)
    expect(await run.code).toBe(1)
    expect(run.output()).toMatch(/^The edge .+ no longer answers: its runtime, workerd, has died\.$/m)
    expect(await reachable(edgePort)).toBe(false)
    expect(await reachable(scorerPort)).toBe(false)
  }, 120_000)

  it('sends no telemetry, asks no proxy, keeps no log and leaves nothing in the home folder', async () => {
    const { asked, env } = await startProxy()
    const home = join(dataDir, 'home')
    // An older version of wrangler kept its settings there, and newer ones go on if it has.
    await mkdir(join(home, '.wrangler'), { recursive: true })
    const run = dev({
      ...{ HOME: home, XDG_CONFIG_HOME: join(home, '.config') },
      // A proxy for everything, this machine included.
      ...{ ...env, NO_PROXY: '', no_proxy: '' },
      // With the values that this process would pass on, wrangler does not look up its location.
      ...{ NODE_ENV: 'development', CLOUDFLARE_CF_FETCH_ENABLED: 'true' },
    })
    await run.printed(/Ctrl-C stops/)
    run.signal('SIGTERM')
    expect(await run.code).toBe(0)
    expect(asked).toEqual([])
    expect(await readdir(home, { recursive: true })).toEqual(['.wrangler'])
    expect((await readdir(dataDir, { recursive: true })).filter(file => file.endsWith('.log'))).toEqual([])
  }, 60_000)

  it('says which port is taken, in one sentence, and starts nothing', async () => {
    const squatter = createServer().listen(edgePort, '127.0.0.1')
    const run = dev()
    expect(await run.code).toBe(1)
    expect(run.output().trim().split('\n').at(-1)).toBe(
      `Port ${edgePort} is in use. Stop the program that uses it, or set EDGE_PORT to another port.`,
    )
    expect(await reachable(scorerPort)).toBe(false)
    squatter.close()
  })

  it.each(['EDGE_PORT', 'SCORER_PORT'])('says so at once if browsers refuse to open %s', async name => {
    const run = dev({ [name]: '10080' })
    expect(await run.code).toBe(1)
    expect(run.output().trim().split('\n').at(-1)).toBe(
      `Port 10080 belongs to another protocol, and browsers refuse to open it. Set ${name} to another port.`,
    )
  })

  it('stops the edge and says why when the scorer cannot start', async () => {
    const run = dev({ SCORER_PROVIDER: 'abacus' })
    expect(await run.code).toBe(1)
    expect(run.output()).toMatch(/The scorer ended with code \d+/)
    expect(await reachable(edgePort)).toBe(false)
  }, 60_000)

  it('waits for a slow scorer, then prints the Worker’s warnings but no requests', async () => {
    const slow = join(dataDir, 'slow.mjs')
    const ofScorer = join(dataDir, 'scorer.pid')
    await writeFile(
      slow,
      `import { writeFileSync } from 'node:fs'
      if (process.argv[1].endsWith('scorer/main.ts')) {
        writeFileSync(${JSON.stringify(ofScorer)}, String(process.pid))
        await new Promise(go => setTimeout(go, 5_000))
      }`,
    )
    const run = dev({ NODE_OPTIONS: `--import=${pathToFileURL(slow)}` })
    expect(await run.printed(/Ctrl-C stops/)).not.toContain('"kind"')
    const scorer = Number(await readFile(ofScorer, 'utf8'))
    process.kill(scorer, 'SIGSTOP')
    const printedSince = async (): Promise<string> => {
      await (await fetch(`http://127.0.0.1:${edgePort}/healthz`)).text()
      return run.output()
    }
    await expect.poll(printedSince, { timeout: 20_000 }).toMatch(/^\{"kind":"scorer","fault":"late",.+\}$/m)
    process.kill(scorer, 'SIGCONT')
    run.signal('SIGTERM')
    expect(await run.code).toBe(0)
    expect(run.output()).not.toContain('"path"')
  }, 60_000)

  it('says nothing more once it is stopped while it starts, and leaves nothing behind', async () => {
    const run = dev()
    await run.printed(/Starting/)
    run.signal('SIGINT')
    expect(await run.code).toBe(0)
    expect(run.output()).toBe('Starting the scorer and the edge …\n')
    expect(await reachable(edgePort)).toBe(false)
    expect(await reachable(scorerPort)).toBe(false)
    expect(await readdir(dataDir)).not.toContain('lock')
  }, 60_000)

  it('starts nothing if the data folder cannot be written to', async () => {
    await mkdir(join(dataDir, 'worker.env'))
    const run = dev()
    expect(await run.code).toBe(1)
    expect(run.output()).toContain('EISDIR')
    expect(await reachable(scorerPort)).toBe(false)
  })

  it('names a secret that the Worker cannot use', async () => {
    const key = 'A'.repeat(43)
    const secrets = {
      SCORER_SECRET: `local:${key}`,
      TENANT_SECRET: key,
      PROFILE_KEYS: 'local1:truncated',
      ADMIN_SECRET: key,
    }
    await writeFile(join(dataDir, 'secrets.json'), JSON.stringify(secrets))
    const run = dev()
    expect(await run.code).toBe(1)
    expect(run.output()).toMatch(/^The edge .+ cannot use its settings\.\n {2}secret PROFILE_KEYS must be </m)
    expect(run.output()).not.toContain('truncated')
    expect(await reachable(scorerPort)).toBe(false)
  }, 60_000)

  it('refuses a setting that is not a port, by name', async () => {
    const run = dev({ EDGE_PORT: '99999' })
    expect(await run.code).toBe(1)
    expect(run.output()).toContain('EDGE_PORT must be a port number from 1 to 65535.')
  })
})

function dev(env: Record<string, string> = {}, command = process.execPath, args = [DEV]) {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: {
      ...process.env,
      EDGE_PORT: String(edgePort),
      SCORER_PORT: String(scorerPort),
      DATA_DIR: dataDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (text += chunk))
  const code = new Promise<number | null>(resolve => child.once('close', resolve))
  return {
    pid: child.pid,
    code,
    output: () => text,
    signal: (name: NodeJS.Signals) => child.kill(name),
    printed: async (pattern: RegExp): Promise<string> => {
      while (!pattern.test(text)) {
        if (child.exitCode !== null) throw new Error(`npm run dev ended early:\n${text}`)
        await new Promise(resolve => setTimeout(resolve, 100))
      }
      return text
    },
  }
}

/** Removes the starter credit from the demo account. */
async function spendAll(): Promise<void> {
  const { account } = JSON.parse(await readFile(join(dataDir, 'demo.json'), 'utf8'))
  const { call } = await connect({ DATA_DIR: dataDir }, `http://127.0.0.1:${edgePort}`)
  await call('POST', `/accounts/${account}/deduct`, { amount_usd: '5.00', reference: 'spent' })
}

const keysIn = (text: string): string[] => text.match(/sk_decider_\w+/g) ?? []

/** All descendants of a process, with their command lines. */
async function startedBy(pid: number | undefined): Promise<{ own: number; command: string }[]> {
  const processes = (await shell('ps -A -ww -o pid= -o ppid= -o args=')).split('\n').map(line => {
    const [, own, parent, command = ''] = /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? []
    return { own: Number(own), parent: Number(parent), command }
  })
  const children = (of: number): { own: number; command: string }[] =>
    processes.filter(({ parent }) => parent === of).flatMap(one => [one, ...children(one.own)])
  return children(pid ?? 0)
}

const shell = async (line: string): Promise<string> => (await promisify(execFile)('sh', ['-c', line])).stdout

const reachable = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/healthz`).then(
    () => true,
    () => false,
  )
