// Writes examples/support-tickets.jsonl: made-up tickets with the answers a support lead would give. Run by hand;
// the same seed gives the same file.
import { writeFile } from 'node:fs/promises'
import { seededRandom } from '../src/calibration/simulation/random.ts'
import { issues, moods, products, teams, urgencies } from './support-tickets/phrases.ts'

const COUNT = 400
const SEED = 20_261_013
/** So many tickets mention what belongs to another team as well. */
const ASIDES = 0.12

const random = seededRandom(SEED)
const pick = <T>(from: readonly T[]): T => {
  const picked = from[Math.floor(random() * from.length)]
  if (picked === undefined) throw new RangeError('nothing to pick from')
  return picked
}

const ticket = (): string => {
  const team = pick(teams)
  const mood = pick(moods)
  const urgency = pick(urgencies)
  const aside = random() < ASIDES ? pick(issues[pick(teams.filter(other => other !== team))]) : null
  const sentences = [
    pick(mood.openings),
    pick(issues[team]),
    aside === null ? null : `On a side note, from another order: ${aside}`,
    pick(urgency.phrases),
    pick(mood.closings),
  ]
  const text = sentences
    .filter(sentence => sentence !== null && sentence !== '')
    .join(' ')
    .replaceAll('{product}', pick(products))
    .replaceAll('{order}', String(10_000 + Math.floor(random() * 89_999)))
    .replaceAll('{amount}', `$${(9 + Math.floor(random() * 190)).toString()}.90`)
  return JSON.stringify({
    state: text,
    questions: {
      team: {
        type: 'choice',
        instructions: 'Which team should handle this ticket?',
        criteria: {
          billing: 'payments, invoices, refunds and prices',
          shipping: 'delivery, parcels, addresses and damage on the way',
          technical: 'errors, crashes and things that do not work as they should',
          account: 'signing in, passwords, personal data and membership',
        },
        label: team,
      },
      urgent: {
        type: 'noul',
        instructions: 'The customer needs an answer today',
        label: urgency.urgent,
      },
      mood: {
        type: 'score',
        instructions: 'How upset is the customer?',
        criteria: ['calm and friendly', 'annoyed or disappointed', 'furious'],
        label: mood.level,
      },
    },
  })
}

const lines = Array.from({ length: COUNT }, ticket)
await writeFile(new URL('../examples/support-tickets.jsonl', import.meta.url), `${lines.join('\n')}\n`)
