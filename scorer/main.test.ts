import { existsSync } from 'node:fs'
import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { PROTOCOL, type Refusal, type ScoreReply, type ScorerHealth } from './protocol.ts'
import { type ScorerProcess, startProcess } from './testing/process.ts'
import { clientOf, KEY_ID, SECRET, unit } from './testing/scorer.ts'
import { MODELS_FOLDER, SNAPSHOT } from './testing/snapshot.ts'

vi.setConfig({ testTimeout: 120_000 })

const start = async (env?: Record<string, string>): Promise<ScorerProcess> => {
  const scorer = await startProcess(env)
  onTestFinished(async () => {
    scorer.child.kill('SIGKILL')
    await rm(scorer.folder, { recursive: true })
  })
  return scorer
}
const running = async (env?: Record<string, string>) => {
  const scorer = await start(env)
  const url = await scorer.url
  if (url === null) throw new Error(`the scorer did not start: ${scorer.output()}`)
  const client = clientOf(url)
  return {
    ...scorer,
    ...client,
    /** Sends a request that takes long and resolves once the engine is working on it. */
    begin: async (words: number) => {
      const state = { form: 'text' as const, text: 'word '.repeat(words) }
      const answer = client
        .post<ScoreReply & Refusal>('/score', { units: [unit({ state })] })
        .catch(() => null)
      await until(async () => (await client.metric('running_units')) > 0)
      return { answer }
    },
  }
}
const until = async (holds: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise(resolve => setTimeout(resolve, 20))
}

describe('SIGTERM', () => {
  it('finishes requests in progress, refuses new ones and exits with 0', async () => {
    const scorer = await running({ SCORER_DRAIN_MS: '100000' })
    const { answer } = await scorer.begin(8_000)
    scorer.child.kill('SIGTERM')
    await until(() => scorer.output().includes('"event":"draining"'))
    const health = await scorer.get('/healthz')
    expect([health.status, (JSON.parse(health.text) as ScorerHealth).ready]).toEqual([503, false])
    const refused = await scorer.post<Refusal>('/score', { units: [unit()] })
    expect([refused.status, refused.body.error]).toEqual([503, 'draining'])
    expect(refused.headers.get('retry-after')).toBe('1')
    // Under npm, Ctrl+C comes twice: from the terminal, and passed on.
    scorer.child.kill('SIGINT')
    expect((await answer)?.body.units[0]?.kind).toBe('scored')
    expect(await scorer.ended).toEqual({ code: 0, signal: null })
    expect(scorer.output()).toContain('"event":"stopped","drained":true')
    expect(scorer.output().match(/"event":"draining"/g)).toHaveLength(1)
  })

  it('finishes requests in progress even if nobody reads its log any more', async () => {
    const scorer = await running({ SCORER_DRAIN_MS: '100000' })
    const { answer } = await scorer.begin(8_000)
    scorer.child.stdout?.destroy()
    scorer.child.kill('SIGTERM')
    expect((await answer)?.body.units[0]?.kind).toBe('scored')
    expect(await scorer.ended).toEqual({ code: 0, signal: null })
  })

  it('exits with 0 at the drain deadline even if work is left, which is refused', async () => {
    const scorer = await running({ SCORER_DRAIN_MS: '300' })
    const { answer } = await scorer.begin(60_000)
    scorer.child.kill('SIGTERM')
    expect(await scorer.ended).toEqual({ code: 0, signal: null })
    expect((await answer)?.body.error).toBe('draining')
    expect(scorer.output()).toContain('"event":"stopped","drained":false')
  })

  it('refuses at the drain deadline also what it has not read yet', async () => {
    // Room for all: a fast machine reads more than one of them before the signal.
    const scorer = await running({ SCORER_DRAIN_MS: '0', SCORER_QUEUE_TOKENS: '1000000000' })
    // Read one after another, these take longer than the process waits once its engine is closed.
    const options = Array.from({ length: 1_024 }, (_, at): [string, null] => [`${at}`, null])
    const question = { type: 'choice' as const, instructions: 'Which?', options }
    const long = { units: [unit({ questions: Array.from({ length: 128 }, () => question) })] }
    const answers = Array.from({ length: 16 }, () => scorer.post<Refusal>('/score', long))
    await pause(1_000)
    scorer.child.kill('SIGTERM')
    expect((await Promise.all(answers)).map(({ body }) => body.error)).toEqual(answers.map(() => 'draining'))
    expect(await scorer.ended).toEqual({ code: 0, signal: null })
  })
})

describe('SIGKILL in the middle of a request', () => {
  it('leaves nothing behind, and the port is free for the next start', async () => {
    const scorer = await running()
    const { answer } = await scorer.begin(60_000)
    const url = new URL((await scorer.url) ?? '')
    scorer.child.kill('SIGKILL')
    expect(await scorer.ended).toEqual({ code: null, signal: 'SIGKILL' })
    expect(await answer).toBeNull()
    expect(await readdir(scorer.folder)).toEqual([])
    const next = await running({ SCORER_PORT: url.port })
    expect((await next.get('/healthz')).status).toBe(200)
  })
})

describe('a start that fails', () => {
  const refusal = async (env: Record<string, string>) => {
    const scorer = await start(env)
    const { code } = await scorer.ended
    return [code, scorer.output()]
  }

  it('without a secret says which variable is missing', async () => {
    expect(await refusal({ SCORER_SECRET: '' })).toEqual([
      1,
      'SCORER_SECRET is missing: it must be <id>:<base64url key of 32 bytes or more>, or several separated by commas, each id once\n',
    ])
  })

  const copied = async (): Promise<{ models: string; snapshot: string }> => {
    const models = await mkdtemp(join(tmpdir(), 'scorer-models-'))
    onTestFinished(() => rm(models, { recursive: true }))
    const snapshot = join(models, SNAPSHOT)
    await cp(join(MODELS_FOLDER, SNAPSHOT), snapshot, { recursive: true })
    return { models, snapshot }
  }

  it('with a description that lacks the shape or the tokenizer of the snapshot names the file', async () => {
    for (const [without, why] of [
      ['shape', 'snapshot.json: shape is not as expected'],
      ['files', 'tokenizer.json is missing or cannot be read'],
    ] as const) {
      const { models, snapshot } = await copied()
      const path = join(snapshot, 'snapshot.json')
      const described = JSON.parse(await readFile(path, 'utf8'))
      if (without === 'shape') delete described.shape
      else {
        delete described.files['tokenizer.json']
        await rm(join(snapshot, 'tokenizer.json'))
      }
      await writeFile(path, JSON.stringify(described))
      expect(await refusal({ SCORER_MODELS: models })).toEqual([1, `${join(snapshot, why)}\n`])
    }
  })

  it('with a file that is not the snapshot’s names the file and both digests', async () => {
    const { models, snapshot } = await copied()
    await appendFile(join(snapshot, 'readout.onnx'), 'x')
    const [code, output] = await refusal({ SCORER_MODELS: models })
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(
        /^.+readout\.onnx does not belong to this snapshot: its SHA-256 is [0-9a-f]{64}, expected [0-9a-f]{64}\n$/,
      ),
    ])
  })

  it('on a machine for which onnxruntime is not built says where it runs', async () => {
    const otherwise = `data:text/javascript,Object.defineProperty(process,'arch',{value:'ia32'})`
    expect(await refusal({ NODE_OPTIONS: `--import="${otherwise}"` })).toEqual([
      1,
      expect.stringMatching(
        /^onnxruntime does not run on this machine \(\w+, ia32\): Cannot find module '\S+'\. It runs on .+\.\n$/,
      ),
    ])
  })

  it('on a system that starts no more threads names the limit', async () => {
    const refused = `
      import threads from 'node:worker_threads'
      import { syncBuiltinESMExports } from 'node:module'
      threads.Worker = function () { throw new Error('EAGAIN') }
      syncBuiltinESMExports()`
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(refused)}`
    const [code, output] = await refusal({ NODE_OPTIONS })
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(/^The system lets this process start no more threads: .+ulimit -u.+\n$/),
    ])
  })

  it('on a provider that cannot load names it and does not fall back to another', async () => {
    const [code, output] = await refusal({ SCORER_PROVIDER: 'cuda' })
    expect(code).toBe(1)
    expect(output).toMatch(new RegExp(`^${SNAPSHOT} cannot be opened with SCORER_PROVIDER=cuda: .+`, 'm'))
  })

  it('with too little memory for the longest state says how much is needed', async () => {
    const [code, output] = await refusal({ SCORER_MEMORY_BYTES: String(300 * 1024 ** 2) })
    expect([code, output]).toEqual([
      1,
      expect.stringMatching(
        /^SCORER_MEMORY_BYTES must be at least \d+ \(\d+ MiB\) .* SCORER_WORKERS=\d+, but it is 314572800\./,
      ),
    ])
  })

  it('with more memory than can be addressed, or than the container has, names the variable', async () => {
    expect(await refusal({ SCORER_MEMORY_BYTES: String(Number.MAX_SAFE_INTEGER) })).toEqual([
      1,
      expect.stringMatching(/^SCORER_MEMORY_BYTES (is more than this system lets|must be an integer).*\n$/),
    ])
  })

  it('on a port in use says so', async () => {
    const port = new URL((await (await start()).url) ?? '').port
    expect(await refusal({ SCORER_PORT: port })).toEqual([
      1,
      'Cannot listen on SCORER_HOST and SCORER_PORT: EADDRINUSE\n',
    ])
  })

  it('on a host that does not belong to the machine says so', async () => {
    // An address reserved for documentation: no machine has it.
    expect(await refusal({ SCORER_HOST: '192.0.2.1' })).toEqual([
      1,
      'Cannot listen on SCORER_HOST and SCORER_PORT: EADDRNOTAVAIL\n',
    ])
  })
})

it.each([
  ['reads bodies', 'cacheSecret'],
  ['runs the model', 'provider'],
])('a thread that %s and dies ends the process, for a restart', async (_, started) => {
  const dies = `import { parentPort, workerData } from 'node:worker_threads'
    if (workerData?.${started}) parentPort.on('message', () => { throw new Error('died') })`
  const scorer = await running({
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(dies)}`,
  })
  // Long enough to be read on a thread.
  const state = { form: 'text' as const, text: 'word '.repeat(2_000) }
  await scorer.post('/score', { units: [unit({ state })] }).catch(() => {})
  expect(await scorer.ended).toEqual({ code: null, signal: 'SIGKILL' })
  expect(scorer.output()).toContain('"event":"fatal"')
})

it('measures no negative times while the clock of the machine is set back', async () => {
  const setBack = 'let back = 0; const { now } = Date; Date.now = () => now() - (back += 100)'
  const scorer = await running({
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(setBack)}`,
  })
  for (let i = 0; i < 3; i++) await scorer.score(unit({ state: { form: 'text', text: `ticket ${i}` } }))
  const { text } = await scorer.get('/metrics')
  const sums = text.match(/^\w+_sum.* \S+$/gm) ?? []
  expect(sums.length).toBeGreaterThan(3)
  for (const sum of sums) expect(sum).not.toMatch(/ -/)
})

describe('what the process writes', () => {
  it('names what it does not know, its version, its protocol and the ids of its keys, but no value or key', async () => {
    const scorer = await running({ SCORER_COMMIT: 'abc1234', SCORER_THREAD: SECRET })
    const [unknown, ...others] = scorer
      .output()
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(unknown).toMatchObject({ event: 'unknown_settings', names: 'SCORER_THREAD' })
    const listening = others.at(-1)
    const version = expect.stringMatching(/^\d+\.\d+\.\d+\+abc1234$/)
    expect(listening).toMatchObject({ event: 'listening', version, protocol: PROTOCOL, keyIds: KEY_ID })
    expect(scorer.output()).not.toContain(SECRET.slice(KEY_ID.length + 1))
  })

  it.runIf(existsSync('/proc/self/coredump_filter'))('leaves its memory out of a core dump', async () => {
    const { child } = await running()
    expect(await readFile(`/proc/${child.pid}/coredump_filter`, 'utf8')).toBe('00000000\n')
  })

  it('is no report of Node’s, even if it is told to write one', async () => {
    const scorer = await running({ NODE_OPTIONS: '--report-on-signal' })
    scorer.child.kill('SIGUSR2')
    expect(await scorer.ended).toEqual({ code: null, signal: 'SIGUSR2' })
    expect(await readdir(scorer.folder)).toEqual([])
  })

  it('holds nothing that it was sent', async () => {
    const secret = 'xyzzyplugh'
    const scorer = await running()
    const question = {
      type: 'noul' as const,
      instructions: secret,
      sides: [secret, secret] as [string, string],
    }
    const state = { form: 'text' as const, text: secret }
    await scorer.score(unit({ tenant: secret, state, questions: [question] }))
    await scorer.post('/score', `{"units":[{"tenant":"${secret}","snapshot":`)
    await scorer.post('/score', { units: [{ ...unit(), [secret]: secret, questions: secret }] })
    await scorer.post('/score', { units: [unit({ state })] }, { headers: { 'x-scorer-deadline-ms': secret } })
    await scorer.get(`/${secret}`)
    const { text } = await scorer.get('/metrics')
    scorer.child.kill('SIGTERM')
    await scorer.ended
    expect(scorer.output()).toContain('"event":"stopped"')
    expect(text + scorer.output()).not.toContain(secret)
    for (const name of await readdir(scorer.folder)) {
      expect(await readFile(join(scorer.folder, name), 'utf8')).not.toContain(secret)
    }
  })
})
