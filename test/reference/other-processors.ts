// Are the logits the same on other processors, and does nothing that is asked beside a question move a bit there?
// Compares a scorer on this processor with scorers on those that qemu-user emulates, because CI would otherwise only
// ever meet its own: node other-processors.ts ROOT, where ROOT holds Node, the libraries and /proc/cpuinfo of ARM.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { HEADERS, type ScoreUnit, type UnitQuestion } from '../../scorer/protocol.ts'
import { startProcess } from '../../scorer/testing/process.ts'
import { clientOf, logitsOf, TEAM, URGENT, unit } from '../../scorer/testing/scorer.ts'

type Processor = {
  name: string
  /** Runs Node on it. */
  node: readonly [string, ...string[]]
  /** A module that prints "true" if the processor has what it is here for. */
  isMeant: string
  /** A value may be rounded to another step. If products were cut off, logits would differ by 0.1 in the mean. */
  tolerance: number
}

const [root] = process.argv.slice(2)
if (root === undefined) throw new Error('Usage: other-processors.ts ROOT')
const arm = ['qemu-aarch64', '-L', root] as const
const armNode = join(root, 'bin/node')
const byteProducts = JSON.stringify(join(import.meta.dirname, '../../scorer/backend/byte-products.ts'))
const PROCESSORS: readonly Processor[] = [
  {
    name: 'AMD Zen 2, which adds products of bytes in 16 bits',
    node: ['qemu-x86_64', '-cpu', 'EPYC-Rome', process.execPath],
    isMeant: `import { cutsByteProducts } from ${byteProducts}
      console.log(await cutsByteProducts())`,
    tolerance: 0.02,
  },
  {
    name: 'ARM Neoverse N1',
    node: [...arm, '-cpu', 'neoverse-n1', armNode],
    isMeant: `console.log(process.arch === 'arm64')`,
    tolerance: 0.05,
  },
  {
    name: 'ARM with SME, for which onnxruntime has products of its own',
    node: [...arm, '-cpu', 'max', armNode],
    // AT_HWCAP2 and HWCAP2_SME of Linux.
    isMeant: `import { readFileSync } from 'node:fs'
      const pairs = new BigUint64Array(Uint8Array.from(readFileSync('/proc/self/auxv')).buffer)
      const at = pairs.findIndex((key, index) => index % 2 === 0 && key === 26n)
      console.log(((pairs[at + 1] >> 23n) & 1n) === 1n)`,
    tolerance: 0.05,
  },
]

/** An emulated run may take a minute, which is no reason to give it up: the scorer's watch ticks more slowly. */
const PATIENT = `--import=data:text/javascript,${encodeURIComponent(
  'const every = setInterval; globalThis.setInterval = (act, ms) => every(act, 20 * ms)',
)}`

/** Less than the five minutes after which fetch gives up. */
const DEADLINE = { [HEADERS.deadline]: '290000' }

/** qemu-user can crash under the threads of V8, which write code that others run. */
const MOST_TRIES = 4

const wide: UnitQuestion = {
  type: 'choice',
  instructions: 'What does the customer write about?',
  // More than 256 rows, which another graph encodes.
  options: Array.from({ length: 18 }, (_, at) => [
    `topic ${at}`,
    `a matter of kind ${at}, told in some words`,
  ]),
}
/** Of unlike lengths, so that each stands elsewhere in a run, and the last rows of a run are another's. */
const company: UnitQuestion[] = [
  ...['late', 'is it wet', 'the box was torn'].map(
    (instructions): UnitQuestion => ({ type: 'noul', instructions, sides: [null, null] }),
  ),
  TEAM,
  URGENT,
]
/** Of more than 128 tokens: a shorter one is read in the graph of questions. */
const longer: ScoreUnit['state'] = {
  form: 'text',
  text: 'The parcel came late, and the box was wet and torn. '.repeat(14),
}

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

const expectMeant = async ({ name, node: [command, ...args], isMeant }: Processor): Promise<void> => {
  try {
    const printed = execFileSync(command, [...args, '--input-type=module', '--eval', isMeant], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
    if (printed !== 'true\n') throw new Error(`The emulated processor is not one like "${name}".`)
  } catch (cause) {
    const { signal } = Object(cause)
    if (!signal) throw cause
    throw new Killed(`The emulated question ended with ${signal}.`, { cause })
  }
}

const logitsAt = async (url: string | null): Promise<number[]> => {
  if (url === null) throw new Error('The scorer did not start.')
  const ask = async (over: Partial<ScoreUnit>) => logitsOf(await clientOf(url).score(unit(over), DEADLINE))
  const together = await ask({ questions: company })
  for (const [at, question] of company.entries()) {
    const [alone] = await ask({ questions: [question] })
    if (String(alone) !== String(together[at]))
      throw new Error(`A question has other logits alone (${alone}) than in company (${together[at]}).`)
  }
  return [together, await ask({ state: longer }), await ask({ questions: [wide] })].flat(2)
}

const logitsOn = async (node: Processor['node']): Promise<number[]> => {
  const scorer = await startProcess({}, node)
  const [asking] = await Promise.allSettled([scorer.url.then(logitsAt)])
  // One that was killed has ended by itself. Who fails otherwise goes on, and may be killed because it takes long to stop.
  const ended =
    asking.status === 'rejected' ? await Promise.race([scorer.ended, setTimeout(5_000)]) : undefined
  scorer.child.kill()
  await scorer.ended
  if (asking.status === 'fulfilled') return asking.value
  const { reason: cause } = asking
  if (ended?.signal) throw new Killed(`The scorer ended with ${ended.signal}.`, { cause })
  throw new Error(`The scorer failed: ${scorer.output()}`, { cause })
}

const here = await logitsOn([process.execPath])

const compare = async (processor: Processor): Promise<void> => {
  const { name, node, tolerance } = processor
  await asked(() => expectMeant(processor))
  const there = await asked(() => logitsOn([...node, PATIENT]))
  const furthest = Math.max(...here.map((logit, at) => Math.abs(logit - (there[at] ?? Number.NaN))))
  if (!(furthest <= tolerance)) throw new Error(`A logit differs by ${furthest} on ${name}.`)
  process.stdout.write(`${here.length} logits differ by at most ${furthest} on ${name}.\n`)
}
// An emulator uses one core.
const compared = await Promise.allSettled(PROCESSORS.map(compare))
const reasons = compared.flatMap(one => (one.status === 'rejected' ? [one.reason] : []))
if (reasons.length > 0) throw new AggregateError(reasons)
