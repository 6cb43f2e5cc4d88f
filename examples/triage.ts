// Sorts tickets with TypeSafe's SDK: `npx node examples/triage.ts 'I was charged twice.' 'Where is my parcel?'`. It
// needs DECIDER_API_KEY, DECIDER_URL unless the service listens at http://127.0.0.1:8787, and profile.txt from
// `npm run calibrate -- examples/support-tickets.jsonl --target-error 0.1`.
import { readFileSync } from 'node:fs'
import { APIError, choice, noul, score, TypeSafeClient } from '@typesafe-ai/sdk'
import type { Certainty } from './decider.d.ts'

const client = new TypeSafeClient({
  baseURL: process.env.DECIDER_URL ?? 'http://127.0.0.1:8787',
  apiKey: process.env.DECIDER_API_KEY ?? '',
})
const profile = readFileSync('profile.txt', 'utf8')
/** The one that the profile was fitted on: an alias will one day stand for another, which refuses it. */
const SNAPSHOT = 'decider-preview-2026-10-13'

/** Word for word those of the labelled tickets: the profile covers no others. */
const questions = {
  team: choice('Which team should handle this ticket?', {
    billing: 'payments, invoices, refunds and prices',
    shipping: 'delivery, parcels, addresses and damage on the way',
    technical: 'errors, crashes and things that do not work as they should',
    account: 'signing in, passwords, personal data and membership',
  }),
  urgent: noul('The customer needs an answer today'),
  mood: score('How upset is the customer?', ['calm and friendly', 'annoyed or disappointed', 'furious']),
}

/** The answer if it may be relied on, or a question mark: a person should look. */
const ifSure = (answer: string, { calibrated, abstain }: Certainty): string => {
  // Not an unsure answer but a mistake in the program: a question that the profile does not cover.
  if (!calibrated) throw new Error('The profile does not cover these questions. Fit another.')
  return abstain === false ? answer : '?'
}

const triage = async (state: string): Promise<string> => {
  const { answers } = await client.systemOne({ model: SNAPSHOT, x_calibration: profile, state, questions })
  const { team, urgent, mood } = answers
  // Not `mood.score` rounded: `abstain` speaks for the most probable level.
  const levels = Object.entries(mood.probabilities)
  const [level] = levels.reduce((best, next) => (next[1] > best[1] ? next : best))
  return [
    ifSure(team.choice, team.x_decider),
    ifSure(urgent.noul >= 0.5 ? 'today' : 'can wait', urgent.x_decider),
    ifSure(questions.mood.criteria[Number(level)] ?? level, mood.x_decider),
  ].join(', ')
}

const tickets = process.argv.slice(2)
if (tickets.length === 0) {
  console.error("Give it tickets: npx node examples/triage.ts 'I was charged twice.'")
  process.exitCode = 1
}
try {
  for (const ticket of tickets) console.log(`${await triage(ticket)}: ${ticket}`)
} catch (error) {
  if (!(error instanceof APIError)) throw error
  const advice =
    error.status === 429 || error.status === 503 ? 'Try again later.' : 'Do not try again as it is.'
  console.error(`${error.message} ${advice} (${error.requestId})`)
  process.exitCode = 1
}
