// Are the logits the same on a processor that adds products of bytes in 16 bits? Compares a scorer on this one with a
// scorer on such a processor, emulated by qemu-user. On one that is not emulated, CI would only ever meet itself.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { ScoreUnit, UnitQuestion } from '../../scorer/protocol.ts'
import { startProcess } from '../../scorer/testing/process.ts'
import { clientOf, unit } from '../../scorer/testing/scorer.ts'

/** AMD Zen 2: AVX2 and no VNNI. */
const EMULATOR = ['qemu-x86_64', '-cpu', 'EPYC-Rome']
/** A value may be rounded to another step. If products were cut off, logits would differ by 0.1 in the mean. */
const TOLERANCE = 0.02
/** qemu-user can crash under the threads of V8, which write code that others run. */
const MOST_TRIES = 4

const many: UnitQuestion = {
  type: 'choice',
  instructions: 'What does the customer write about?',
  // More than 256 rows, which another graph encodes.
  options: Array.from({ length: 40 }, (_, at) => [
    `topic ${at}`,
    `a matter of kind ${at}, told in some words`,
  ]),
}
const units: ScoreUnit[] = [
  unit(),
  unit({ state: { form: 'text', text: 'The parcel came late, and the box was wet and torn. '.repeat(14) } }),
  unit({ questions: [many] }),
]

/** What `ask` learns from a process, which is asked again if the emulator kills it. */
const asked = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
  for (let tries = 1; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof Killed) || tries === MOST_TRIES) throw error
      process.stderr.write(`${error.message} Trying again.\n`)
    }
  }
}

/** Of a signal that nobody sent. */
class Killed extends Error {}

const cuts = await asked(async () => {
  try {
    return execFileSync(
      EMULATOR[0] ?? '',
      [
        ...EMULATOR.slice(1),
        process.execPath,
        '--input-type=module',
        '--eval',
        `import { cutsByteProducts } from ${JSON.stringify(join(import.meta.dirname, '../../scorer/backend/byte-products.ts'))}
        console.log(await cutsByteProducts())`,
      ],
      { encoding: 'utf8', stdio: 'pipe' },
    )
  } catch (cause) {
    const { signal } = Object(cause)
    if (!signal) throw cause
    throw new Killed(`The emulated question ended with ${signal}.`, { cause })
  }
})
if (cuts !== 'true\n')
  throw new Error('The emulated processor adds products of bytes exactly: nothing would be tested.')

const logitsAt = async (url: string | null): Promise<number[]> => {
  if (url === null) throw new Error('The scorer did not start.')
  const logits: number[] = []
  for (const one of units) {
    const { questions } = await clientOf(url).score(one)
    logits.push(...questions.flatMap(question => question.logits))
  }
  return logits
}

const logitsOf = async (emulator: readonly string[]): Promise<number[]> => {
  const scorer = await startProcess({}, emulator)
  const [asking] = await Promise.allSettled([scorer.url.then(logitsAt)])
  scorer.child.kill()
  // One that was alive has ended with a code, as it was told to.
  const { signal } = await scorer.ended
  if (asking.status === 'fulfilled') return asking.value
  const { reason: cause } = asking
  if (signal !== null) throw new Killed(`The scorer ended with ${signal}.`, { cause })
  throw new Error(`The scorer failed: ${scorer.output()}`, { cause })
}

const here = await logitsOf([])
const there = await asked(() => logitsOf(EMULATOR))
const furthest = Math.max(...here.map((logit, at) => Math.abs(logit - (there[at] ?? Number.NaN))))
if (!(furthest <= TOLERANCE)) throw new Error(`A logit differs by ${furthest} on the emulated processor.`)
process.stdout.write(`${here.length} logits differ by at most ${furthest} on the emulated processor.\n`)
