// npm install --no-save node-llama-cpp && node scorer/bench/peers/llama.ts: a llama-architecture model of the same
// parameter count in llama.cpp, its prompt kept in the context. Each token attends to everything before it, and each
// number read costs a full vocabulary head. A decision engine built on llama.cpp has to pay for both.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { measure, report } from '../measure.ts'
import { ggufFile } from './gguf-file.ts'

const SHAPE = { vocabulary: 30_522, width: 384, inner: 1024, layers: 6, heads: 6, context: 1024 }
const STATE_TOKENS = 300
const QUESTION_TOKENS = 60
const QUESTIONS = 3
const OPTIONS = 4
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 30)

/** The part of node-llama-cpp used here. The package is not one of this project's dependencies. */
type Sequence = {
  readonly nextTokenIndex: number
  evaluateWithoutGeneratingNewTokens(tokens: number[]): Promise<void>
  controlledEvaluate(input: (number | [number, { generateNext: { confidence: true } }])[]): Promise<unknown[]>
  eraseContextTokenRanges(ranges: { start: number; end: number }[]): Promise<void>
}
type Llama = {
  loadModel(options: { modelPath: string }): Promise<{
    createContext(options: { contextSize: number; threads: number; batchSize: number }): Promise<{
      getSequence(): Sequence
    }>
    dispose(): Promise<void>
  }>
}

const library: string = 'node-llama-cpp'
const { getLlama } = (await import(library)) as { getLlama(options: object): Promise<Llama> }
const folder = await mkdtemp(join(tmpdir(), 'llama-'))
try {
  const modelPath = join(folder, 'model.gguf')
  await writeFile(modelPath, ggufFile(SHAPE))
  const llama = await getLlama({ gpu: false, build: 'never', maxThreads: availableParallelism() })
  const model = await llama.loadModel({ modelPath })
  const context = await model.createContext({
    contextSize: SHAPE.context,
    threads: availableParallelism(),
    batchSize: 512,
  })
  const sequence = context.getSequence()

  let drawn = 1
  const word = () => {
    drawn = Math.imul(drawn, 48_271) & 0x7fffffff
    return 300 + (drawn % 30_000)
  }
  const words = (count: number) => Array.from({ length: count }, word)
  const back = (to: number) => sequence.eraseContextTokenRanges([{ start: to, end: sequence.nextTokenIndex }])
  const readState = async () => {
    if (sequence.nextTokenIndex > 0) await back(0)
    await sequence.evaluateWithoutGeneratingNewTokens(words(STATE_TOKENS))
  }
  const readQuestions = async () => {
    for (let question = 0; question < QUESTIONS; question++) {
      const every = Math.floor(QUESTION_TOKENS / OPTIONS)
      const reads = (i: number) => i >= QUESTION_TOKENS - OPTIONS * every && i % every === 0
      await sequence.controlledEvaluate(
        words(QUESTION_TOKENS).map((token, i) =>
          reads(i) ? [token, { generateNext: { confidence: true } }] : token,
        ),
      )
      await back(STATE_TOKENS)
    }
  }
  await readState()
  const times = await measure(
    {
      'llama.cpp, state kept: 3 questions of 60': readQuestions,
      'llama.cpp, 300-token state and 3 questions of 60': async () => {
        await readState()
        await readQuestions()
      },
    },
    ROUNDS,
  )
  for (const [name, one] of Object.entries(times)) report(name, one)
  await model.dispose()
} finally {
  await rm(folder, { recursive: true })
}
